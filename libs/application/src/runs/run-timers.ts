import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { PollingWorker } from '#polling';

import { FAILURE_LOG, type FailureLog, RUN_OPTIONS, type RunOptions } from '../tokens.js';
import { type DueItem, DueRuns } from './due-runs.js';
import { LostAttempts } from './lost-attempts.js';

const longestPauseMs = 1_000;
/** Limit of due items per read. */
const itemLimit = 50;
/** How long an item is not checked again that time did not change, because its row is out of date or its run is paused. */
const deferMs = 30_000;
const maxDeferred = 10_000;

/**
 * Applies time to runs: deadlines of attempts, expiries of approvals, maximum durations, ends of cancellations, and
 * attempts whose workers have stopped. Several processes may do so concurrently: each ignores changes that another one has
 * stored already.
 */
@Injectable()
export class RunTimers {
  readonly #worker: PollingWorker;
  readonly #deferred = new LRUCache<string, true>({ max: maxDeferred });

  constructor(
    private readonly runs: DueRuns,
    private readonly lost: LostAttempts,
    @Inject(FAILURE_LOG) private readonly failed: FailureLog,
    @Inject(RUN_OPTIONS) { leaseMs }: RunOptions,
  ) {
    const pauseMs = Math.min(longestPauseMs, leaseMs / 4);
    this.#worker = new PollingWorker(() => this.#pass(), {
      idleMs: pauseMs,
      retryMs: { first: pauseMs, longest: pauseMs },
      failed: (error) => {
        this.lost.interrupt();
        this.#note(error);
      },
    });
  }

  start(): void {
    this.#worker.start();
  }

  /** Resolves when the current run is finished. */
  async stop(): Promise<void> {
    await this.#worker.stop();
  }

  /** Advances runs with due items. Returns the number of changed runs. */
  async advanceDue(): Promise<number> {
    let changed = await this.lost.recordLost();
    this.#deferred.purgeStale();
    const due = await this.runs.find(itemLimit + this.#deferred.size);
    const awake = due.filter((each) => !this.#deferred.has(nameOf(each)));
    const byContext = Map.groupBy(awake, ({ id }) => JSON.stringify([id.workspace, id.contextId]));
    for (const items of byContext.values()) {
      if (this.#worker.stopping.aborted) break;
      if (await this.#advance(items)) changed += 1;
    }
    return changed;
  }

  async #pass(): Promise<number | undefined> {
    return (await this.advanceDue()) > 0 ? 0 : undefined;
  }

  /** Logs a failure, so that a run that cannot be advanced does not delay others. */
  async #advance(items: readonly DueItem[]): Promise<boolean> {
    const [first] = items;
    if (!first) return false;
    try {
      const changed = await this.runs.applyTime(first.id);
      for (const item of items) this.#defer(item, deferMs);
      return changed;
    } catch (error) {
      this.#note(error);
      // Defers only briefly, so that runs continue soon after an outage.
      for (const item of items) this.#defer(item, longestPauseMs);
      return false;
    }
  }

  #note(error: unknown): void {
    if (!this.#worker.stopping.aborted) this.failed(error, 'could not advance due runs');
  }

  /** The row of a changed item is out of date for a moment; the next row of that item has another version. */
  #defer(item: DueItem, ttl: number): void {
    this.#deferred.set(nameOf(item), true, { ttl });
  }
}

function nameOf({ id: { workspace, contextId }, kind, key, version }: DueItem): string {
  return JSON.stringify([workspace, contextId, kind, key, version]);
}
