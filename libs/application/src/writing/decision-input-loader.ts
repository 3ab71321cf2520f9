import { type RawBuilder } from 'kysely';

import { type CounterValue } from '#event-sourcing';
import { type ContextReader, type ContextSnapshot } from '#read-models';
import { ContextState } from '#shared-context';
import { type TransformationSet } from '#transformations';

import { mayDerive } from '../transformations/derivation-triggers.js';
import { type CountedTransformations } from '../transformations/transformation-store.js';
import { type LoadedKeys } from './loaded-keys.js';
import { type PreparedWrite, firstOf } from './prepared-write.js';
import { type SpeculativeSnapshotCache } from './speculative-snapshot-cache.js';

/** The current transformations of a workspace, including transformations that other processes stored. */
export type TransformationSource = Readonly<{
  /** `mark`: the value that {@link mark} returned most recently, if known. */
  find: (workspace: string, mark?: unknown) => Promise<TransformationSet>;
  /** Identifies the state of the transformations of a workspace; selected by the statement that reads the items. */
  mark: (workspace: string) => RawBuilder<unknown>;
  /** The cached transformations, and the counter on which an append depends if it is decided on them. */
  findCached: (workspace: string) => CountedTransformations;
}>;

/** The loaded input of a round. */
export type LoadedInput = Readonly<{
  before: ContextSnapshot;
  /** Whether `before` comes from the cache of this process. */
  recalled: boolean;
  transformations: TransformationSet | undefined;
  /** A counter that the append has to check in addition to its stream. */
  counter?: CounterValue | undefined;
}>;

type LoaderDependencies = Readonly<{
  reader: ContextReader;
  transformations: TransformationSource;
  recent: SpeculativeSnapshotCache;
  /** Whether the store checks counters. */
  checksCounters: boolean;
  timeoutMs: number;
}>;

const loopKinds = { kinds: ['loop'] } as const;

/** Loads the items on which writes are decided: from the cache, or from the rows and the events after them. */
export class DecisionInputLoader {
  constructor(private readonly dependencies: LoaderDependencies) {}

  /**
   * Reads nothing if all items of the context are cached and `mayRecall` is true, except the transformations if the
   * writes need them and the store cannot check a counter.
   */
  async load(
    writes: readonly PreparedWrite[],
    loaded: LoadedKeys,
    mayRecall: boolean,
  ): Promise<LoadedInput> {
    const { id } = firstOf(writes);
    const cached = mayRecall ? this.dependencies.recent.recallAll(id, loaded) : undefined;
    if (!cached) return this.#read(writes, loaded, mayRecall);
    const [before, transformations] = await Promise.all([
      this.#withLoops(writes, cached),
      needTransformations(writes) ? this.#transformations(id.workspace) : undefined,
    ]);
    return {
      before,
      recalled: true,
      transformations: transformations?.set,
      counter: transformations?.counter,
    };
  }

  async #transformations(workspace: string): Promise<Partial<CountedTransformations>> {
    const { transformations: source, checksCounters } = this.dependencies;
    return checksCounters ? source.findCached(workspace) : { set: await source.find(workspace) };
  }

  async #read(
    writes: readonly PreparedWrite[],
    loaded: LoadedKeys,
    mayRecall: boolean,
  ): Promise<LoadedInput> {
    const { id } = firstOf(writes);
    const { reader, transformations: source, recent, timeoutMs } = this.dependencies;
    const selection = { keys: loaded.all(), bodies: false };
    const options = { timeoutMs };
    const needsTransformations = needTransformations(writes);
    const scalar = needsTransformations ? source.mark(id.workspace) : undefined;
    const rows = await reader.readProjectedRows(id, selection, { scalar }, options);
    const recalled = mayRecall ? recent.recall(id, loaded, rows) : undefined;
    const [before, transformations] = await Promise.all([
      this.#withLoops(writes, recalled ?? (await reader.catchUp(id, selection, rows, options))),
      needsTransformations ? source.find(id.workspace, rows.scalar) : undefined,
    ]);
    return { before, recalled: recalled !== undefined, transformations };
  }

  /** A restore carries the counts of all loops of the context over; no command names them. */
  async #withLoops(
    writes: readonly PreparedWrite[],
    before: ContextSnapshot,
  ): Promise<ContextSnapshot> {
    const restores = writes.some(({ commands }) =>
      commands.some(({ type }) => type === 'RestoreContext'),
    );
    if (!restores || !before.head) return before;
    const { version } = before.head;
    const { reader, timeoutMs } = this.dependencies;
    const options = { timeoutMs };
    const loops = await reader.readAt(firstOf(writes).id, version, loopKinds, options);
    const state = ContextState.from([...before.state.values(), ...loops.state.values()]);
    return { head: before.head, state };
  }
}

/** Most writes derive no value and do not need the transformations. */
function needTransformations(writes: readonly PreparedWrite[]): boolean {
  return writes.some(({ commands, derive }) => derive !== undefined || commands.some(mayDerive));
}
