import { type RawBuilder } from 'kysely';

import { type CounterValue } from '#event-sourcing';
import { type ContextReader, type ContextSnapshot } from '#read-models';
import { ContextState } from '#shared-context';
import { type TransformationSet } from '#transformations';

import { mayDerive } from '../transformations/happenings.js';
import { type CountedTransformations } from '../transformations/transformation-store.js';
import { type LoadedKeys } from './loaded-keys.js';
import { type PreparedWrite, firstOf } from './prepared-write.js';
import { type SpeculativeSnapshotCache } from './speculative-snapshot-cache.js';

/** The transformations in force in a workspace, whoever stored them last. */
export type TransformationSource = Readonly<{
  /** `mark`: what {@link mark} gives by now, if it is known. */
  find: (workspace: string, mark?: unknown) => Promise<TransformationSet>;
  /** Tells one state of a workspace's transformations from every other; read by the statement that reads the items. */
  mark: (workspace: string) => RawBuilder<unknown>;
  /** Those that were read last, and the counter that an append depends on if it is decided on them. */
  findCached: (workspace: string) => CountedTransformations;
}>;

/** What a round is decided on. */
export type Loaded = Readonly<{
  before: ContextSnapshot;
  /** Whether `before` is what this process remembers. */
  recalled: boolean;
  transformations: TransformationSet | undefined;
  /** What the append depends on beside its stream. */
  counter?: CounterValue | undefined;
}>;

type Site = Readonly<{
  reader: ContextReader;
  transformations: TransformationSource;
  recent: SpeculativeSnapshotCache;
  /** Whether the store checks counters. */
  checksCounters: boolean;
  timeoutMs: number;
}>;

const loopKinds = { kinds: ['loop'] } as const;

/** Loads what writes are decided on: what is remembered of a context, or its rows and the events behind them. */
export class DecisionInputLoader {
  constructor(private readonly site: Site) {}

  /**
   * Reads nothing if the process remembers all items of the context and `mayRecall` is true, but for the transformations if
   * they matter and an append cannot depend on them.
   */
  async load(
    writes: readonly PreparedWrite[],
    loaded: LoadedKeys,
    mayRecall: boolean,
  ): Promise<Loaded> {
    const { id } = firstOf(writes);
    const whole = mayRecall ? this.site.recent.recallWhole(id, loaded) : undefined;
    if (!whole) return this.#read(writes, loaded, mayRecall);
    const [before, transformations] = await Promise.all([
      this.#withLoops(writes, whole),
      looksAtTransformations(writes) ? this.#transformations(id.workspace) : undefined,
    ]);
    return {
      before,
      recalled: true,
      transformations: transformations?.set,
      counter: transformations?.counter,
    };
  }

  async #transformations(workspace: string): Promise<Partial<CountedTransformations>> {
    const { transformations: source, checksCounters } = this.site;
    return checksCounters ? source.findCached(workspace) : { set: await source.find(workspace) };
  }

  async #read(
    writes: readonly PreparedWrite[],
    loaded: LoadedKeys,
    mayRecall: boolean,
  ): Promise<Loaded> {
    const { id } = firstOf(writes);
    const { reader, transformations: source, recent, timeoutMs } = this.site;
    const selection = { keys: loaded.all(), bodies: false };
    const options = { timeoutMs };
    const looks = looksAtTransformations(writes);
    const beside = looks ? source.mark(id.workspace) : undefined;
    const rows = await reader.readProjectedRows(id, selection, { beside }, options);
    const recalled = mayRecall ? recent.recall(id, loaded, rows) : undefined;
    const [before, transformations] = await Promise.all([
      this.#withLoops(writes, recalled ?? (await reader.catchUp(id, selection, rows, options))),
      looks ? source.find(id.workspace, rows.beside) : undefined,
    ]);
    return { before, recalled: recalled !== undefined, transformations };
  }

  /** A restore goes on with the counts of all loops there are; no command names them. */
  async #withLoops(
    writes: readonly PreparedWrite[],
    before: ContextSnapshot,
  ): Promise<ContextSnapshot> {
    const restores = writes.some(({ commands }) =>
      commands.some(({ type }) => type === 'RestoreContext'),
    );
    if (!restores || !before.head) return before;
    const { version } = before.head;
    const { reader, timeoutMs } = this.site;
    const options = { timeoutMs };
    const loops = await reader.readAt(firstOf(writes).id, version, loopKinds, options);
    const state = ContextState.from([...before.state.values(), ...loops.state.values()]);
    return { head: before.head, state };
  }
}

/** Most writes lead to no derived value, and do not look at the transformations. */
function looksAtTransformations(writes: readonly PreparedWrite[]): boolean {
  return writes.some(({ commands, derive }) => derive !== undefined || commands.some(mayDerive));
}
