import { setTimeout as wait } from 'node:timers/promises';

import { type ContextId } from '../contexts/context-stream.js';
import { isRefusedData } from '../projector/project-alone.js';
import { storeUntil } from '../projector/store-until.js';
import { findBehind, readModelMark } from './find-behind.js';
import { type SearchSite, indexContext } from './index-context.js';
import { noteFailure } from './search-place.js';

/** What happens that somebody may want to know about. */
export type IndexerEvents = Readonly<{
  /** A context cannot be searched any further for now; others are. */
  refused?: (context: ContextId, error: unknown) => void;
  failed?: (error: unknown, retryInMs: number) => void;
}>;

/** Contexts taken up after one look. */
const someContexts = 200;
/** So that a burst of events is taken in at once: a pass over a context takes a dozen statements, of whatever many events. */
const gatherMs = 250;
/** Looking for what is behind costs what there is: it takes a sixth of the time at most, while writes go on. */
const restTimes = 5;
const lookMs = 1_000;
/** What changes without a mark, as a failed context whose time has come, is found within this. */
const fullLookMs = 10_000;
const firstRetryMs = 100;
const lastRetryMs = 5_000;

/**
 * Keeps what contexts are found by, behind the read models and apart from the projector, which never waits for it. Any
 * number may run, in any processes: each context is taken in by one at a time.
 */
export class SearchIndexer {
  readonly #stop = new AbortController();
  #hurry = new AbortController();
  #running: Promise<void> | undefined;
  #done: { mark: string; at: number } | undefined;
  private readonly site: SearchSite;

  constructor(
    { db, store }: SearchSite,
    private readonly events: IndexerEvents = {},
  ) {
    // Keeps nobody waiting who stops.
    this.site = { db, store: storeUntil(this.#stop.signal, store) };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** The read models have changed: look now. */
  hurry(): void {
    this.#hurry.abort();
  }

  /** Resolves when the context in hand is committed or given back. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let retryInMs = firstRetryMs;
    while (!this.#stop.signal.aborted)
      try {
        const waitMs = await this.#look();
        retryInMs = firstRetryMs;
        await (waitMs === undefined ? this.#idle() : pause(waitMs, this.#stop.signal));
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.events.failed?.(error, retryInMs);
        await pause(retryInMs, this.#stop.signal);
        retryInMs = Math.min(retryInMs * 2, lastRetryMs);
      }
  }

  /** Until something changes here, or may have changed elsewhere. */
  async #idle(): Promise<void> {
    await pause(lookMs, AbortSignal.any([this.#stop.signal, this.#hurry.signal]));
    this.#hurry = new AbortController();
  }

  /** Takes in some of what is behind; how long to wait then, or undefined if nothing was. */
  async #look(): Promise<number | undefined> {
    const { db } = this.site;
    const mark = await readModelMark(db);
    if (this.#isDone(mark)) return undefined;
    const at = performance.now();
    const behind = await findBehind(db, someContexts);
    const tookMs = performance.now() - at;
    if (behind.length === 0) {
      this.#done = { mark, at };
      return undefined;
    }
    const left = await this.#indexAll(behind);
    if (left === 0 && behind.length === someContexts) return 0;
    return Math.min(Math.max(gatherMs, tookMs * restTimes), lookMs);
  }

  #isDone(mark: string): boolean {
    return this.#done?.mark === mark && performance.now() - this.#done.at < fullLookMs;
  }

  /** How many of them another process is at. */
  async #indexAll(behind: readonly ContextId[]): Promise<number> {
    let left = 0;
    for (const id of behind) {
      if (this.#stop.signal.aborted) break;
      if ((await this.#index(id)) === 'busy') left++;
    }
    return left;
  }

  async #index(id: ContextId): Promise<'busy' | 'done'> {
    try {
      return await indexContext(this.site, id, this.#stop.signal);
    } catch (error) {
      if (this.#stop.signal.aborted || !isFault(error)) throw error;
      await noteFailure(this.site.db, id, textOf(error));
      this.events.refused?.(id, error);
      return 'done';
    }
  }
}

/** Of what the context holds or of this code, rather than of the moment: what storage fails with has a code. */
function isFault(error: unknown): boolean {
  return isRefusedData(error) || (error instanceof Error && !('code' in error));
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // PostgreSQL text holds no NUL, and the message may quote user data.
  return text.replaceAll('\0', '�').toWellFormed().slice(0, 2000);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  });
}
