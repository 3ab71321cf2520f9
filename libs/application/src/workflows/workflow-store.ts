import { createHash } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type Transaction, sql } from 'kysely';

import { type Database } from '#database';
import { type JsonValue } from '#event-sourcing';
import { type WorkflowDefinition, definitionHash, workflowLimits } from '#workflow';

import { InvalidInputError } from '../errors.js';
import { DATABASE } from '../tokens.js';
import { summaryOf, toView, toWholeView } from './workflow-rows.js';
import {
  type PublicationOutcome,
  type WholeWorkflowView,
  type WorkflowView,
} from './workflows.messages.js';

/** A definition without errors: `value` is stored, `definition` is what it says. */
type Publication = Readonly<{
  definition: WorkflowDefinition;
  value: JsonValue;
  by: string;
}>;

type Place = Readonly<{ workspace: string; definitionId: string }>;

/**
 * The definitions of workflows of workspaces. The same content is the same version, whenever it is published; every publication
 * is stored, and the version of the last one is in force.
 */
@Injectable()
export class WorkflowStore {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  /** Puts a definition in force; two at once take turns. */
  async publish(
    workspace: string,
    publication: Publication,
  ): Promise<Readonly<{ view: WorkflowView; outcome: PublicationOutcome }>> {
    const place = { workspace, definitionId: publication.definition.id };
    const hash = definitionHash(publication.value, sha256);
    return this.db.transaction().execute(async (trx) => {
      await takeTurn(trx, workspace);
      const before = await inForce(trx, place);
      if (before?.hash === hash) return { view: toView(before), outcome: 'unchanged' };
      if (!before) await requireRoom(trx, workspace);
      const known = await versionOfHash(trx, place, hash);
      const version = known ?? (await addVersion(trx, place, { ...publication, hash }));
      await addPublication(trx, place, version, publication.by);
      const outcome = known === undefined ? 'stored' : 'in-force-again';
      return { view: toView(await inForce(trx, place)), outcome };
    });
  }

  /** The versions in force, by id. */
  async list(workspace: string): Promise<readonly WorkflowView[]> {
    const { rows } = await sql`
      select v.definition_id, v.version, v.hash, v.summary, p.published_at, p.published_by
      from (select distinct on (definition_id) * from throughline.workflow_publications
            where workspace = ${workspace} order by definition_id, publication desc) p
      join throughline.workflow_versions v using (workspace, definition_id, version)
      order by v.definition_id`.execute(this.db);
    return rows.map(toView);
  }

  /** The given version with the time of its first publication, or the version in force if none is given. */
  async find(place: Place, version?: number): Promise<WholeWorkflowView | undefined> {
    const found =
      version === undefined
        ? await inForce(this.db, place)
        : await versionAt(this.db, place, version);
    return found && toWholeView(found);
  }

  /** The version with this content, with the time of its first publication. */
  async findByHash(place: Place, hash: string): Promise<WholeWorkflowView | undefined> {
    const version = await versionOfHash(this.db, place, hash);
    return version === undefined ? undefined : this.find(place, version);
  }
}

type Row = Readonly<{ hash: string }>;
type Connection = Kysely<Database> | Transaction<Database>;

async function inForce(db: Connection, { workspace, definitionId }: Place) {
  const { rows } = await sql<Row>`
    select v.*, p.published_at, p.published_by
    from (select * from throughline.workflow_publications
          where workspace = ${workspace} and definition_id = ${definitionId}
          order by publication desc limit 1) p
    join throughline.workflow_versions v using (workspace, definition_id, version)`.execute(db);
  return rows[0];
}

async function versionAt(db: Connection, { workspace, definitionId }: Place, version: number) {
  const { rows } = await sql<Row>`
    select * from throughline.workflow_versions
    where workspace = ${workspace} and definition_id = ${definitionId} and version = ${version}`.execute(
    db,
  );
  return rows[0];
}

async function versionOfHash(
  db: Connection,
  { workspace, definitionId }: Place,
  hash: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    select version from throughline.workflow_versions
    where workspace = ${workspace} and definition_id = ${definitionId} and hash = ${hash}`.execute(
    db,
  );
  return rows[0]?.version;
}

async function addVersion(
  db: Connection,
  { workspace, definitionId }: Place,
  { definition, value, by, hash }: Publication & Readonly<{ hash: string }>,
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    insert into throughline.workflow_versions
      (workspace, definition_id, version, hash, summary, definition, published_by)
    select ${workspace}, ${definitionId}, coalesce(max(version), 0) + 1, ${hash},
           ${JSON.stringify(summaryOf(definition))}, ${JSON.stringify(value)}, ${by}
    from throughline.workflow_versions
    where workspace = ${workspace} and definition_id = ${definitionId}
    returning version`.execute(db);
  const [added] = rows;
  if (!added) throw new Error('the database has stored no version, and reported no error');
  return added.version;
}

async function addPublication(
  db: Connection,
  { workspace, definitionId }: Place,
  version: number,
  by: string,
): Promise<void> {
  await sql`
    insert into throughline.workflow_publications
      (workspace, definition_id, publication, version, published_by)
    select ${workspace}, ${definitionId}, coalesce(max(publication), 0) + 1, ${version}::integer, ${by}
    from throughline.workflow_publications
    where workspace = ${workspace} and definition_id = ${definitionId}`.execute(db);
}

async function takeTurn(trx: Transaction<Database>, workspace: string): Promise<void> {
  const lock = `throughline.workflows.${workspace}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
}

async function requireRoom(trx: Transaction<Database>, workspace: string): Promise<void> {
  const { rows } = await sql<{ definitions: number }>`
    select count(distinct definition_id)::int as definitions from throughline.workflow_publications
    where workspace = ${workspace}`.execute(trx);
  if ((rows[0]?.definitions ?? 0) < workflowLimits.definitions) return;
  const detail = `a workspace has at most ${workflowLimits.definitions} workflows: change one`;
  throw new InvalidInputError([{ pointer: '/id', detail }]);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
