import { PollingWorker } from '#polling';
import { findDueSummaries, readModelMark } from '#read-models';
import { type ContextId } from '#shared-context';
import { SummarizerError, type SummaryAnswer } from '#summarizers';

import { type SummarizerScope, summarizeContext } from './summarize-context.js';

/** What happens that somebody may want to know about. */
export type SummaryEvents = Readonly<{
  added?: (context: ContextId, answer: SummaryAnswer) => void;
  /** A model failed to summarize a context. No read fails because of it; other contexts wait as long. */
  failed?: (context: ContextId, error: SummarizerError, retryInMs: number) => void;
  /** It could not be looked or stored. */
  broken?: (error: unknown, retryInMs: number) => void;
}>;

const someContexts = 20;
const lookMs = 1_000;
/** Looking for what is due costs what there is: it takes a sixth of the time at most, while writes go on. */
const restTimes = 5;
/** What changes without a mark, as a pause or a lease that ends, is found within this. */
const fullLookMs = 5_000;
const retryMs = { first: 100, longest: 5_000 };
/** While its service fails, a process asks it a dozen times an hour. */
const firstPauseMs = 5_000;
const longestPauseMs = 600_000;
const longestAskedMs = 3_600_000;

/**
 * Summarizes contexts that have grown, behind the read models and apart from the projector, which never waits for it. Any
 * number may run, in any processes: each context is summarized by one at a time, and each process asks one thing at a time.
 */
export class SummaryWorker {
  readonly #worker: PollingWorker;
  #done: { mark: string; at: number } | undefined;
  #pauseMs = firstPauseMs;

  constructor(
    private readonly site: SummarizerScope,
    private readonly events: SummaryEvents = {},
  ) {
    this.#worker = new PollingWorker(() => this.#look(), {
      idleMs: lookMs,
      retryMs,
      failed: events.broken,
    });
  }

  start(): void {
    this.#worker.start();
  }

  /** The read models have changed: look now. */
  wake(): void {
    this.#worker.wake();
  }

  /** Resolves when the context in hand is summarized or given back. */
  async stop(): Promise<void> {
    await this.#worker.stop();
  }

  /** Summarizes some of what is due; how long to wait then, or undefined if nothing was. */
  async #look(): Promise<number | undefined> {
    const { db, thresholdTokens } = this.site;
    const mark = await readModelMark(db);
    if (this.#isDone(mark)) return undefined;
    const at = performance.now();
    const due = await findDueSummaries(db, { thresholdTokens, limit: someContexts });
    const restMs = Math.max((performance.now() - at) * restTimes, lookMs);
    if (due.length > 0) return (await this.#summarizeAll(due)) ?? restMs;
    this.#done = { mark, at };
    return undefined;
  }

  #isDone(mark: string): boolean {
    return this.#done?.mark === mark && performance.now() - this.#done.at < fullLookMs;
  }

  async #summarizeAll(due: readonly ContextId[]): Promise<number | undefined> {
    for (const id of due) {
      const pauseMs = await this.#summarize(id);
      if (pauseMs !== undefined || this.#worker.stopping.aborted) return pauseMs;
    }
    return undefined;
  }

  /** How long to leave the service alone; undefined if it did what it was asked. */
  async #summarize(id: ContextId): Promise<number | undefined> {
    try {
      const done = await summarizeContext(this.site, id, this.#worker.stopping);
      if (done.kind !== 'added') return undefined;
      this.#pauseMs = firstPauseMs;
      this.events.added?.(id, done.answer);
      return undefined;
    } catch (error) {
      if (!(error instanceof SummarizerError)) throw error;
      const requestedMs = Math.min(error.retryAfterMs ?? 0, longestAskedMs);
      const pauseMs = Math.max(this.#pauseMs, requestedMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
      this.events.failed?.(id, error, pauseMs);
      return pauseMs;
    }
  }
}
