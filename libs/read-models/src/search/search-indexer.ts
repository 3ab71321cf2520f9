import { PollingWorker } from '#polling';

import { abortableStore } from '../projector/abortable-store.js';
import { type ReadModelState, readModelState } from './search-lag.queries.js';
import { type SearchScope } from './index-context.js';
import { IndexingPass, type RefusedContext, type Remainder } from './indexing-pass.js';
import { type LogProgress, afterLook, canContinue, progressFrom } from './log-progress.js';

/** What happens that somebody may want to know about. */
type IndexerEvents = Readonly<{
  /** A context cannot be searched any further for now; others are. */
  refused?: RefusedContext;
  failed?: (error: unknown, retryInMs: number) => void;
}>;

/** So that a burst of events is indexed at once: a transaction has a dozen statements, of whatever many events. */
const gatherMs = 250;
const lookMs = 1_000;
/** What changes without a mark, as a failed context whose time has come, is found within this. */
const fullLookMs = 10_000;
const retryMs = { first: 100, longest: 5_000 };

/**
 * Keeps what contexts are found by, behind the read models and apart from the projector, which never waits for it. Any
 * number may run, in any processes: each context is indexed by one at a time. Contexts that are behind are looked for at the
 * start and every few seconds; in between, the log says which ones have changed.
 */
export class SearchIndexer {
  readonly #worker: PollingWorker;
  readonly #pass: IndexingPass;
  /** Nothing was left to index of the read models under this mark. */
  #done: { mark: string; at: number } | undefined;
  #progress: LogProgress | undefined;
  /** When contexts that are behind were looked for. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  private readonly site: SearchScope;

  constructor({ db, store }: SearchScope, { refused, failed }: IndexerEvents = {}) {
    this.#worker = new PollingWorker(() => this.#look(), { idleMs: lookMs, retryMs, failed });
    const { stopping } = this.#worker;
    // Calls to the store end when the indexer stops.
    this.site = { db, store: abortableStore(stopping, store) };
    this.#pass = new IndexingPass(this.site, stopping, refused);
  }

  start(): void {
    this.#worker.start();
  }

  /** The read models have changed: look now. */
  wake(): void {
    this.#worker.wake();
  }

  /** Resolves when the contexts in hand are committed or given back. */
  async stop(): Promise<void> {
    await this.#worker.stop();
  }

  /** Indexes some of what is behind; how long to wait then, or undefined if nothing was. */
  async #look(): Promise<number | undefined> {
    const state = await readModelState(this.site.db);
    if (this.#done?.mark === state.mark && isRecent(this.#done.at)) return undefined;
    const at = performance.now();
    const followed = await this.#follow(state);
    const looked = await this.#lookForOthers(state);
    const left = [followed, looked.left];
    if (left.includes('more')) return 0;
    if (left.includes('something')) return Math.min(Math.max(gatherMs, looked.restMs), lookMs);
    await this.#pass.merge();
    this.#done = { mark: state.mark, at };
    return undefined;
  }

  async #follow(state: ReadModelState): Promise<Remainder> {
    const { store } = this.site;
    const known =
      this.#progress && canContinue(store, this.#progress, state) ? this.#progress : undefined;
    const { progress, left } = await this.#pass.follow(known ?? progressFrom(store, state), state);
    this.#progress = progress;
    return left;
  }

  /** Contexts of which events were passed over, and now and then any that are behind. */
  async #lookForOthers(
    state: ReadModelState,
  ): Promise<Readonly<{ left: Remainder; restMs: number }>> {
    const progress = this.#progress;
    if (progress?.passedOver.size === 0 && isRecent(this.#lookedAt))
      return { left: 'nothing', restMs: 0 };
    const lookedAt = performance.now();
    const { isWhole, ...looked } = await this.#pass.indexContextsBehind();
    this.#lookedAt = lookedAt;
    if (progress && isWhole) this.#progress = afterLook(this.site.store, progress, state);
    return looked;
  }
}

function isRecent(at: number): boolean {
  return performance.now() - at < fullLookMs;
}
