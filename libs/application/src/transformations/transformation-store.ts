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

/** Versions are only ever added, so that their number tells every state of a workspace from every other. */
export type WorkspaceTransformations = Readonly<{ versions: number; set: TransformationSet }>;

/** Transformations that are in force while the counter has the value. */
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
    return (await this.#versions.list(workspace)).map(toView);
  }

  async get(workspace: string, transformationId: string): Promise<TransformationView | undefined> {
    const found = await this.#versions.newest({ workspace, name: transformationId });
    return found && toView(found);
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
    const value = JSON.stringify(definition);
    return this.#versions.inTransaction(workspace, async (trx) => {
      const newest = await this.#versions.list(workspace, undefined, trx);
      const before = newest.find(({ name }) => name === transformationId);
      if (before?.value === value) return { view: toView(before), stored: false };
      const others = newest.filter((each) => each !== before);
      refuse({ transformationId, version: (before?.version ?? 0) + 1 }, definition, others);
      const place = { workspace, name: transformationId };
      const added = await this.#versions.add(trx, place, { before, value, by });
      return { view: toView(added), stored: true };
    });
  }
}

function toSet(newest: readonly StoredVersion[]): TransformationSet {
  return orderTransformations(newest.flatMap(toActive));
}

/** Later than every version before, even if the clock was set back: `at` orders versions by their times. */
function nextTime(workspace: string): RawBuilder<unknown> {
  return sql`greatest(clock_timestamp(), (
    select max(changed_at) + interval '1 microsecond' from throughline.transformation_versions
    where workspace = ${workspace}))`;
}

/** The database itself counts the versions of a workspace, in the transaction that adds one. */
function counterOf(workspace: string): string {
  return `transformations ${workspace}`;
}

function refuse(
  of: Readonly<{ transformationId: string; version: number }>,
  definition: TransformationDefinition,
  others: readonly StoredVersion[],
): void {
  const compiled = compileTransformation(of, definition, { exactNumbers: true });
  const most = transformationLimits.transformations;
  if (others.length >= most) {
    const detail = `a workspace keeps at most ${most} transformations: change one`;
    throw new InvalidInputError([{ pointer: '', detail }]);
  }
  if (definition.active !== false) refuseConflicts(compiled, others.flatMap(toActive));
}
