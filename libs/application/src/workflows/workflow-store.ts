import { createHash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely';

import { type Database } from '#database';
import { type JsonValue } from '#event-sourcing';
import { type WorkflowDefinition, definitionHash, workflowLimits } from '#workflow';

import { InvalidInputError } from '../errors.js';
import { DATABASE } from '../tokens.js';
import { countNames, underLock } from '../versioned-store/versioned-store.js';
import { summaryOf, toView, toWholeView } from './workflow-rows.js';
import {
  type PublicationOutcome,
  type WholeWorkflowView,
  type WorkflowView,
} from './workflows.messages.js';

/** A definition without errors: `value` is the JSON to store, `definition` its parsed form. */
type Publication = Readonly<{ definition: WorkflowDefinition; value: JsonValue; by: string }>;

const publicationTable = { table: 'workflow_publications', name: 'definition_id' };

type WorkflowKey = Readonly<{ workspace: string; definitionId: string }>;

/**
 * The workflow definitions of workspaces. The same content has the same version, whenever it is published. Every publication is
 * stored; the last one determines the current version.
 */
@Injectable()
export class WorkflowStore {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  /** Makes a definition the current version; concurrent calls run one after the other. */
  async publish(
    workspace: string,
    publication: Publication,
  ): Promise<Readonly<{ view: WorkflowView; outcome: PublicationOutcome }>> {
    const key = { workspace, definitionId: publication.definition.id };
    const hash = definitionHash(publication.value, sha256);
    return underLock(this.db, `throughline.workflows.${workspace}`, async (trx) => {
      const before = await first(trx, currentVersion(key));
      if (before?.hash === hash) return { view: toView(before), outcome: 'unchanged' };
      if (!before) await requireRoom(trx, workspace);
      const known = await first(trx, versionWith(key, sql`hash = ${hash}`));
      const added = known ?? (await first(trx, addVersion(key, { ...publication, hash })));
      if (!added) throw new Error('the database has stored no version, and reported no error');
      await addPublication(key, added.version, publication.by).execute(trx);
      const outcome = known ? 'in-force-again' : 'stored';
      return { view: toView(await first(trx, currentVersion(key))), outcome };
    });
  }

  /** The current versions, ordered by id. */
  async list(workspace: string): Promise<readonly WorkflowView[]> {
    const { rows } = await sql`
      select v.definition_id, v.version, v.hash, v.summary, p.published_at, p.published_by
      from (select distinct on (definition_id) * from throughline.workflow_publications
            where workspace = ${workspace} order by definition_id, publication desc) p
      join throughline.workflow_versions v using (workspace, definition_id, version)
      order by v.definition_id`.execute(this.db);
    return rows.map(toView);
  }

  /** The given version with the time of its first publication; the current version by default. */
  async find(key: WorkflowKey, version?: number): Promise<WholeWorkflowView | undefined> {
    const isVersion = sql`version = ${version}`;
    const statement = version === undefined ? currentVersion(key) : versionWith(key, isVersion);
    const found = await first(this.db, statement);
    return found && toWholeView(found);
  }

  /** The version with this content, with the time of its first publication. */
  async findByHash(key: WorkflowKey, hash: string): Promise<WholeWorkflowView | undefined> {
    const found = await first(this.db, versionWith(key, sql`hash = ${hash}`));
    return found && toWholeView(found);
  }
}

type Row = Readonly<{ hash: string; version: number }>;

async function first<Found>(db: Kysely<Database>, statement: RawBuilder<Found>) {
  const { rows } = await statement.execute(db);
  return rows[0];
}

function isOf({ workspace, definitionId }: WorkflowKey): RawBuilder<boolean> {
  return sql<boolean>`workspace = ${workspace} and definition_id = ${definitionId}`;
}

function currentVersion(key: WorkflowKey): RawBuilder<Row> {
  return sql<Row>`
    select v.*, p.published_at, p.published_by
    from (select * from throughline.workflow_publications where ${isOf(key)}
          order by publication desc limit 1) p
    join throughline.workflow_versions v using (workspace, definition_id, version)`;
}

function versionWith(key: WorkflowKey, condition: RawBuilder<unknown>): RawBuilder<Row> {
  return sql<Row>`
    select * from throughline.workflow_versions where ${isOf(key)} and ${condition}`;
}

function addVersion(
  key: WorkflowKey,
  { definition, value, by, hash }: Publication & Pick<Row, 'hash'>,
): RawBuilder<Pick<Row, 'version'>> {
  return sql<Pick<Row, 'version'>>`
    insert into throughline.workflow_versions
      (workspace, definition_id, version, hash, summary, definition, published_by)
    select ${key.workspace}, ${key.definitionId}, coalesce(max(version), 0) + 1, ${hash},
           ${JSON.stringify(summaryOf(definition))}, ${JSON.stringify(value)}, ${by}
    from throughline.workflow_versions where ${isOf(key)}
    returning version`;
}

function addPublication(key: WorkflowKey, version: number, by: string): RawBuilder<unknown> {
  return sql`
    insert into throughline.workflow_publications
      (workspace, definition_id, publication, version, published_by)
    select ${key.workspace}, ${key.definitionId}, coalesce(max(publication), 0) + 1,
           ${version}::integer, ${by}
    from throughline.workflow_publications where ${isOf(key)}`;
}

async function requireRoom(trx: Transaction<Database>, workspace: string): Promise<void> {
  if ((await countNames(trx, publicationTable, workspace)) < workflowLimits.definitions) return;
  const detail = `a workspace has at most ${workflowLimits.definitions} workflows: change one`;
  throw new InvalidInputError([{ pointer: '/id', detail }]);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
