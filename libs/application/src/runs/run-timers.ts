import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { PollingWorker } from '#polling';

import { FAILURE_LOG, type FailureLog, RUN_OPTIONS, type RunOptions } from '../tokens.js';
import { type DueItem, DueRuns } from './due-runs.js';
import { LostAttempts } from './lost-attempts.js';

const longestPauseMs = 1_000;
/** The most due items that are read at a time. */
const someItems = 50;
/** An item that time did not change, because its row is out of date or its run is paused, is not checked again for this time. */
const restMs = 30_000;
const maxResting = 10_000;

/**
 * Lets time pass in runs: deadlines of attempts, approvals that expire, limits of duration, the ends of cancellations, and attempts
 * whose workers are gone. Any number of processes may do so: what one has stored, the others find done.
 */
@Injectable()
export class RunTimers {
  readonly #worker: PollingWorker;
  readonly #resting = new LRUCache<string, true>({ max: maxResting });

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

  /** Resolves when the run in hand is done with. */
  async stop(): Promise<void> {
    await this.#worker.stop();
  }

  /** Advances runs in which something is due. Returns how many changes that made. */
  async look(): Promise<number> {
    let changed = await this.lost.find();
    this.#resting.purgeStale();
    const due = await this.runs.find(someItems + this.#resting.size);
    const awake = due.filter((each) => !this.#resting.has(nameOf(each)));
    const byContext = Map.groupBy(awake, ({ id }) => JSON.stringify([id.workspace, id.contextId]));
    for (const items of byContext.values()) {
      if (this.#worker.stopping.aborted) break;
      if (await this.#advance(items)) changed += 1;
    }
    return changed;
  }

  async #pass(): Promise<number | undefined> {
    return (await this.look()) > 0 ? 0 : undefined;
  }

  /** A run that cannot be advanced delays no other one. */
  async #advance(items: readonly DueItem[]): Promise<boolean> {
    const [first] = items;
    if (!first) return false;
    try {
      const changed = await this.runs.passTime(first.id);
      for (const item of items) this.#rest(item, restMs);
      return changed;
    } catch (error) {
      this.#note(error);
      // After an outage, runs go on at once.
      for (const item of items) this.#rest(item, longestPauseMs);
      return false;
    }
  }

  #note(error: unknown): void {
    if (!this.#worker.stopping.aborted) this.failed(error, 'could not let time pass in runs');
  }

  /** The row of an item that has changed is out of date for a moment; the next row of the item has another version. */
  #rest(item: DueItem, ttl: number): void {
    this.#resting.set(nameOf(item), true, { ttl });
  }
}

function nameOf({ id: { workspace, contextId }, kind, key, version }: DueItem): string {
  return JSON.stringify([workspace, contextId, kind, key, version]);
}
