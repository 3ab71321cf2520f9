import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';
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
import { type StoredVersion, VersionedStore } from '../versioned-store/versioned-store.js';
import { toActive, toView } from './transformation-rows.js';
import { type TransformationView } from './transformations.messages.js';

/** Versions are only added, never changed, so that their number identifies a state of the workspace. */
export type WorkspaceTransformations = Readonly<{ versions: number; set: TransformationSet }>;

/** Transformations that are active while the counter has the value. */
export type CountedTransformations = Readonly<{ set: TransformationSet; counter: CounterValue }>;

const none: WorkspaceTransformations = { versions: 0, set: TransformationSet.empty };
const versionTable = {
  table: 'transformation_versions',
  name: 'transformation_id',
  value: 'definition',
  lock: 'transformations',
  changedAt: nextTime,
};
/** Workspaces whose transformations are cached. */
const maxCached = 256;

/** The transformations of workspaces; every version is stored. */
@Injectable()
export class TransformationStore {
  readonly #cached = new LRUCache<string, WorkspaceTransformations>({ max: maxCached });
  readonly #versions: VersionedStore<typeof versionTable>;

  constructor(@Inject(DATABASE) db: Kysely<Database>) {
    this.#versions = new VersionedStore(db, versionTable);
  }

  /**
   * The active transformations, stored by any process. Reads the definitions only if the cached ones are older, and runs no
   * statement if `mark` equals the cached number of versions.
   */
  async find(workspace: string, mark?: unknown): Promise<TransformationSet> {
    return (await this.#newest(workspace, mark)).set;
  }

  /** The active transformations now, or those when the workspace had `versions` versions of transformations. */
  async at(workspace: string, versions?: number): Promise<WorkspaceTransformations> {
    const newest = await this.#newest(workspace, versions);
    if (versions === undefined || versions === newest.versions) return newest;
    const isEarlier = sql`(transformation_id, version) in (
      select transformation_id, version from throughline.transformation_versions
      where workspace = ${workspace} order by changed_at, transformation_id, version limit ${versions})`;
    return { versions, set: toSet(await this.#versions.list(workspace, isEarlier)) };
  }

  async #newest(workspace: string, known: unknown): Promise<WorkspaceTransformations> {
    const cached = this.#cached.get(workspace) ?? none;
    if (known === cached.versions) return cached;
    const found = await this.#versions.listIfChanged(
      cached.versions,
      workspace,
      this.mark(workspace),
    );
    if (found === 'unchanged') return cached;
    const newest = { versions: found.versions, set: toSet(found.newest) };
    this.#cached.set(workspace, newest);
    return newest;
  }

  /** An SQL expression for another statement: returns the `mark` for {@link find} at the time of that statement. */
  readonly mark = (workspace: string): RawBuilder<number> =>
    sql<number>`coalesce((select value from throughline.counters where name = ${counterOf(workspace)}), 0)`;

  /** The transformations that this process has read last. They are current only if the counter still has the value. */
  findCached(workspace: string): CountedTransformations {
    const { versions, set } = this.#cached.get(workspace) ?? none;
    return { set, counter: { name: counterOf(workspace), value: versions } };
  }

  /** The newest version of each transformation, ordered by id. */
  async list(workspace: string): Promise<TransformationView[]> {
    return (await this.#versions.list(workspace)).map(toView);
  }

  async get(workspace: string, transformationId: string): Promise<TransformationView | undefined> {
    const found = await this.#versions.newest({ workspace, name: transformationId });
    return found && toView(found);
  }

  /**
   * Adds a version, unless the newest one is equal; concurrent calls run one after the other. Throws TransformationError if the
   * definition is invalid or conflicts with other transformations.
   */
  async put(
    workspace: string,
    transformationId: string,
    { definition, by }: Readonly<{ definition: TransformationDefinition; by: string }>,
  ): Promise<Readonly<{ view: TransformationView; stored: boolean }>> {
    const value = JSON.stringify(definition);
    return this.#versions.inTransaction(workspace, async (trx) => {
      const newest = await this.#versions.list(workspace, undefined, trx);
      const before = newest.find(({ name }) => name === transformationId);
      if (before?.value === value) return { view: toView(before), stored: false };
      const others = newest.filter((each) => each !== before);
      refuse({ transformationId, version: (before?.version ?? 0) + 1 }, definition, others);
      const key = { workspace, name: transformationId };
      const added = await this.#versions.add(trx, key, { before, value, by });
      return { view: toView(added), stored: true };
    });
  }
}

function toSet(newest: readonly StoredVersion[]): TransformationSet {
  return orderTransformations(newest.flatMap(toActive));
}

/**
 * Later than the time of every earlier version, even if the clock was set back, because `at` orders versions by their
 * times.
 */
function nextTime(workspace: string): RawBuilder<unknown> {
  return sql`greatest(clock_timestamp(), (
    select max(changed_at) + interval '1 microsecond' from throughline.transformation_versions
    where workspace = ${workspace}))`;
}

/** The name of the counter of versions: the database increments it in the transaction that adds a version. */
function counterOf(workspace: string): string {
  return `transformations ${workspace}`;
}

function refuse(
  of: Readonly<{ transformationId: string; version: number }>,
  definition: TransformationDefinition,
  others: readonly StoredVersion[],
): void {
  const compiled = compileTransformation(of, definition, { exactNumbers: true });
  const limit = transformationLimits.transformations;
  if (others.length >= limit) {
    const detail = `a workspace has at most ${limit} transformations: change one`;
    throw new InvalidInputError([{ pointer: '', detail }]);
  }
  if (definition.active !== false) refuseConflicts(compiled, others.flatMap(toActive));
}
