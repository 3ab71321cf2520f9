import { PollingWorker } from '#polling';
import { findDueSummaries, readModelMark } from '#read-models';
import { type ContextId } from '#shared-context';
import { SummarizerError, type SummaryAnswer } from '#summarizers';

import { type SummarizerScope, summarizeContext } from './summarize-context.js';

/** Callbacks for events of the worker. */
export type SummaryEvents = Readonly<{
  added?: (context: ContextId, answer: SummaryAnswer) => void;
  /** A model failed to summarize a context. Reads do not fail because of it; other contexts wait for the same time. */
  failed?: (context: ContextId, error: SummarizerError, retryInMs: number) => void;
  /** A read or a write of the worker failed. */
  broken?: (error: unknown, retryInMs: number) => void;
}>;

const someContexts = 20;
const lookMs = 1_000;
/**
 * The worker rests for this multiple of the duration of its query for due contexts, so that queries take at most a
 * sixth of the time.
 */
const restTimes = 5;
/**
 * Changes that do not affect the mark of the read models, such as the end of a pause or a lease, are found within this
 * time.
 */
const fullLookMs = 5_000;
const retryMs = { first: 100, longest: 5_000 };
/** While its service fails, a process calls it about a dozen times in the first hour. */
const firstPauseMs = 5_000;
const longestPauseMs = 600_000;
const maxRequestedMs = 3_600_000;

/**
 * Summarizes contexts that have grown, from the read models and independently of the projector. Any number of workers
 * may run in any processes: each context is summarized by one worker at a time, and each worker makes one call at a
 * time.
 */
export class SummaryWorker {
  readonly #worker: PollingWorker;
  #done: { mark: string; at: number } | undefined;
  #pauseMs = firstPauseMs;

  constructor(
    private readonly site: SummarizerScope,
    private readonly events: SummaryEvents = {},
  ) {
    this.#worker = new PollingWorker(() => this.#poll(), {
      idleMs: lookMs,
      retryMs,
      failed: events.broken,
    });
  }

  start(): void {
    this.#worker.start();
  }

  /** Call it when the read models have changed. */
  wake(): void {
    this.#worker.wake();
  }

  /** Resolves when the current context is summarized or released. */
  async stop(): Promise<void> {
    await this.#worker.stop();
  }

  /** Summarizes some due contexts; returns how long to wait afterwards, or undefined if none were due. */
  async #poll(): Promise<number | undefined> {
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

  /** Returns how long to pause calls of the service; undefined if it did not fail. */
  async #summarize(id: ContextId): Promise<number | undefined> {
    try {
      const done = await summarizeContext(this.site, id, this.#worker.stopping);
      if (done.kind !== 'added') return undefined;
      this.#pauseMs = firstPauseMs;
      this.events.added?.(id, done.answer);
      return undefined;
    } catch (error) {
      if (!(error instanceof SummarizerError)) throw error;
      const requestedMs = Math.min(error.retryAfterMs ?? 0, maxRequestedMs);
      const pauseMs = Math.max(this.#pauseMs, requestedMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
      this.events.failed?.(id, error, pauseMs);
      return pauseMs;
    }
  }
}
