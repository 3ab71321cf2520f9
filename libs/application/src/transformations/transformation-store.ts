import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely';
import { LRUCache } from 'lru-cache';

import { type Database } from '#database';
import { type CounterValue } from '#event-sourcing';
import {
  type TransformationDefinition,
  TransformationSet,
  compileTransformation,
  orderTransformations,
  refuseConflicts,
  transformationLimits,
} from '#transformations';

import { InvalidInputError } from '../errors.js';
import { DATABASE } from '../tokens.js';
import { activeOf, toActive, toView } from './transformation-rows.js';
import { type TransformationView } from './transformations.messages.js';

/** Versions are only ever added, so that their number tells every state of a workspace from every other. */
export type WorkspaceTransformations = Readonly<{ versions: number; set: TransformationSet }>;

/** Transformations that are in force while the counter has the value. */
export type CountedTransformations = Readonly<{ set: TransformationSet; counter: CounterValue }>;

const none: WorkspaceTransformations = { versions: 0, set: TransformationSet.empty };

/** Workspaces whose transformations are cached. */
const mostCached = 256;

/** The transformations of workspaces; every version is stored. */
@Injectable()
export class TransformationStore {
  readonly #cached = new LRUCache<string, WorkspaceTransformations>({ max: mostCached });

  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  /**
   * Those that run now, whichever process stored them. Reads their definitions only if the cached ones are older, and
   * nothing at all if `mark` is the number of versions that are cached.
   */
  async find(workspace: string, mark?: unknown): Promise<TransformationSet> {
    return (await this.#newest(workspace, mark)).set;
  }

  /** The transformations that run now, or that ran when the workspace had `versions` versions of transformations. */
  async at(workspace: string, versions?: number): Promise<WorkspaceTransformations> {
    const newest = await this.#newest(workspace, versions);
    if (versions === undefined || versions === newest.versions) return newest;
    const { rows } = await sql`
      select distinct on (t.transformation_id) t.transformation_id, t.version, t.definition
      from (select transformation_id, version from throughline.transformation_versions
            where workspace = ${workspace}
            order by changed_at, transformation_id, version limit ${versions}) earlier
      join throughline.transformation_versions t using (transformation_id, version)
      where t.workspace = ${workspace}
      order by t.transformation_id, t.version desc`.execute(this.db);
    return { versions, set: orderTransformations(rows.flatMap(toActive)) };
  }

  async #newest(workspace: string, known: unknown): Promise<WorkspaceTransformations> {
    const cached = this.#cached.get(workspace) ?? none;
    if (known === cached.versions) return cached;
    const { rows } = await sql<{ versions: number }>`
      select counted.versions, defined.* from (select ${this.mark(workspace)} as versions) counted
      left join lateral (
        select distinct on (t.transformation_id) t.transformation_id, t.version, t.definition
        from throughline.transformation_versions t
        where t.workspace = ${workspace} and counted.versions <> ${cached.versions}
        order by t.transformation_id, t.version desc) defined on true`.execute(this.db);
    const versions = rows[0]?.versions ?? 0;
    if (versions === cached.versions) return cached;
    const newest = { versions, set: orderTransformations(rows.flatMap(toActive)) };
    this.#cached.set(workspace, newest);
    return newest;
  }

  /** A number for {@link find}, to be read by another statement: of the moment of that statement. */
  readonly mark = (workspace: string): RawBuilder<number> =>
    sql<number>`coalesce((select value from throughline.counters where name = ${counterOf(workspace)}), 0)`;

  /** Those that this process has read last. They may be outdated: the counter proves them. */
  findCached(workspace: string): CountedTransformations {
    const { versions, set } = this.#cached.get(workspace) ?? none;
    return { set, counter: { name: counterOf(workspace), value: versions } };
  }

  /** By id. */
  async list(workspace: string): Promise<TransformationView[]> {
    const { rows } = await newestOf(workspace).execute(this.db);
    return rows.map(toView);
  }

  async get(workspace: string, transformationId: string): Promise<TransformationView | undefined> {
    const { rows } = await newestOf(workspace, transformationId).execute(this.db);
    return rows.map(toView)[0];
  }

  /**
   * Adds a version, unless it says what the newest says; two at once take turns. Throws TransformationError if it
   * cannot work, or not beside the others.
   */
  async put(
    workspace: string,
    transformationId: string,
    { definition, by }: Readonly<{ definition: TransformationDefinition; by: string }>,
  ): Promise<Readonly<{ view: TransformationView; stored: boolean }>> {
    const text = JSON.stringify(definition);
    return this.db.transaction().execute(async (trx) => {
      await takeTurn(trx, workspace);
      const newest = await newestOf(workspace).execute(trx);
      const before = newest.rows.find((row) => row.transformation_id === transformationId);
      if (before?.definition === text) return { view: toView(before), stored: false };
      const others = newest.rows.filter((row) => row !== before);
      const version = (before?.version ?? 0) + 1;
      refuse({ transformationId, version }, definition, others);
      const { rows } = await sql`
        insert into throughline.transformation_versions
          (workspace, transformation_id, version, definition, changed_by, changed_at)
        values (${workspace}, ${transformationId}, ${version}, ${text}, ${by}, ${nextTime(workspace)})
        returning *`.execute(trx);
      return { view: toView(rows[0]), stored: true };
    });
  }
}

/** Later than every version before, even if the clock was set back: `at` orders versions by their times. */
function nextTime(workspace: string) {
  return sql`greatest(clock_timestamp(), (
    select max(changed_at) + interval '1 microsecond' from throughline.transformation_versions
    where workspace = ${workspace}))`;
}

/** The database itself counts the versions of a workspace, in the transaction that adds one. */
function counterOf(workspace: string): string {
  return `transformations ${workspace}`;
}

type Newest = Readonly<{ transformation_id: string; version: number; definition: string }>;

function newestOf(workspace: string, transformationId: string | null = null) {
  return sql<Newest>`
    select distinct on (transformation_id) * from throughline.transformation_versions
    where workspace = ${workspace} and (${transformationId}::text is null or transformation_id = ${transformationId})
    order by transformation_id, version desc`;
}

async function takeTurn(trx: Transaction<Database>, workspace: string): Promise<void> {
  const lock = `throughline.transformations.${workspace}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
}

function refuse(
  of: Readonly<{ transformationId: string; version: number }>,
  definition: TransformationDefinition,
  others: readonly Newest[],
): void {
  const compiled = compileTransformation(of, definition, { exactNumbers: true });
  if (others.length >= transformationLimits.transformations)
    throw new InvalidInputError([
      {
        pointer: '',
        detail: `a workspace keeps at most ${transformationLimits.transformations} transformations: change one`,
      },
    ]);
  if (activeOf(of, definition).length > 0) refuseConflicts(compiled, others.flatMap(toActive));
}
