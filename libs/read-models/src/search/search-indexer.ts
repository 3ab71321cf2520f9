import { PollingWorker } from '#polling';

import { abortableStore } from '../projector/abortable-store.js';
import { type ReadModelState, readModelState } from './search-lag.queries.js';
import { type SearchScope } from './index-context.js';
import { IndexingPass, type RefusedContext, type Remainder } from './indexing-pass.js';
import { type LogProgress, afterFullIndexing, canContinue, progressFrom } from './log-progress.js';

/** Listeners of the indexer. */
type IndexerEvents = Readonly<{
  /** A context could not be indexed for now; others are indexed. */
  refused?: RefusedContext;
  failed?: (error: unknown, retryInMs: number) => void;
}>;

/**
 * The pause between transactions, so that events of a burst are indexed together: a transaction has a dozen statements
 * for any number of events.
 */
const gatherMs = 250;
const pollMs = 1_000;
/** The maximum delay until changes are found that do not change the mark, such as a retry that is due. */
const fullQueryMs = 10_000;
const retryMs = { first: 100, longest: 5_000 };

/**
 * Updates the search rows from the read models, independently of the projector, which never waits for it. Any number of
 * indexers may run, in any processes: each context is indexed by one at a time. Contexts that are behind are queried at
 * the start and every few seconds; in between, the log shows which ones have changed.
 */
export class SearchIndexer {
  readonly #worker: PollingWorker;
  readonly #pass: IndexingPass;
  /** The mark of the read models for which nothing was left to index. */
  #done: { mark: string; at: number } | undefined;
  #progress: LogProgress | undefined;
  /** The time of the last query for contexts that are behind. */
  #queriedAt = Number.NEGATIVE_INFINITY;
  private readonly scope: SearchScope;

  constructor({ db, store }: SearchScope, { refused, failed }: IndexerEvents = {}) {
    this.#worker = new PollingWorker(() => this.#runOnce(), { idleMs: pollMs, retryMs, failed });
    const { stopping } = this.#worker;
    // Calls to the store end when the indexer stops.
    this.scope = { db, store: abortableStore(stopping, store) };
    this.#pass = new IndexingPass(this.scope, stopping, refused);
  }

  start(): void {
    this.#worker.start();
  }

  /** Ends the pause, since the read models have changed. */
  wake(): void {
    this.#worker.wake();
  }

  /** Resolves when the current contexts are committed or released. */
  async stop(): Promise<void> {
    await this.#worker.stop();
  }

  /**
   * Indexes some of the contexts that are behind. Returns the delay until the next run; undefined if nothing was left.
   */
  async #runOnce(): Promise<number | undefined> {
    const state = await readModelState(this.scope.db);
    if (this.#done?.mark === state.mark && isRecent(this.#done.at)) return undefined;
    const at = performance.now();
    const followed = await this.#follow(state);
    const others = await this.#indexOthers(state);
    const left = [followed, others.left];
    if (left.includes('more')) return 0;
    if (left.includes('something')) return Math.min(Math.max(gatherMs, others.restMs), pollMs);
    await this.#pass.merge();
    this.#done = { mark: state.mark, at };
    return undefined;
  }

  async #follow(state: ReadModelState): Promise<Remainder> {
    const { store } = this.scope;
    const known =
      this.#progress && canContinue(store, this.#progress, state) ? this.#progress : undefined;
    const { progress, left } = await this.#pass.follow(known ?? progressFrom(store, state), state);
    this.#progress = progress;
    return left;
  }

  /** Indexes contexts with skipped events and, every few seconds, any contexts that are behind. */
  async #indexOthers(
    state: ReadModelState,
  ): Promise<Readonly<{ left: Remainder; restMs: number }>> {
    const progress = this.#progress;
    if (progress?.skipped.size === 0 && isRecent(this.#queriedAt))
      return { left: 'nothing', restMs: 0 };
    const queriedAt = performance.now();
    const { isComplete, ...others } = await this.#pass.indexContextsBehind();
    this.#queriedAt = queriedAt;
    if (progress && isComplete)
      this.#progress = afterFullIndexing(this.scope.store, progress, state);
    return others;
  }
}

function isRecent(at: number): boolean {
  return performance.now() - at < fullQueryMs;
}
