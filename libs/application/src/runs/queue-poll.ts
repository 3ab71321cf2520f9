import { setTimeout as wait } from 'node:timers/promises';

import { type FailureLog } from '../tokens.js';
import { type PassedAttempts, CapacityChecks, agentsOf, attemptKey } from './capacity-checks.js';
import { type WaitingGroup, type WaitingWorkers, seesAll } from './waiting-workers.js';
import { type WorkQueue } from './work-queue.js';

/** The mean time between polls, which find attempts that became due, or that another process has released or made room for. */
const pollMs = 1_000;
/** Limit of attempts that one poll reads for a group, for all its agents together. */
const maxAtOnce = 500;

/** Reads attempts from the rows of open work for the waiting workers of this process. */
export class QueuePoll {
  readonly #capacityChecks: CapacityChecks<WaitingGroup>;
  #polling: Promise<void> | undefined;

  constructor(
    private readonly queue: Pick<WorkQueue, 'waiting' | 'denied'>,
    private readonly workers: WaitingWorkers,
    private readonly on: Readonly<{ isStopping: () => boolean; failed: FailureLog }>,
  ) {
    this.#capacityChecks = new CapacityChecks(queue, {
      groups: () => workers.groups(),
      serve: (group, passing) => this.#serve(group, passing),
      failed: (error) => this.#noteFailure(error),
    });
  }

  /** Polls while workers wait. */
  start(): void {
    this.#polling ??= this.#poll();
  }

  /** Call it when an attempt has ended in a workspace with limits, so that others may start. */
  noteRoom(workspace: string): void {
    void this.#capacityChecks.note(workspace);
  }

  async #poll(): Promise<void> {
    while (!this.workers.isEmpty && !this.on.isStopping()) {
      await wait(pollMs * (0.5 + Math.random()), undefined, { ref: false });
      // An attempt that was passed to one group may still be unclaimed when another group is read.
      const passed = new Map<string, Set<string>>();
      for (const group of this.workers.groups()) {
        const { workspace } = group.filter;
        const ofWorkspace = passed.get(workspace) ?? new Set();
        passed.set(workspace, ofWorkspace);
        await this.#serve(group, { passed: ofWorkspace, max: Infinity }).catch((error: unknown) =>
          this.#noteFailure(error),
        );
      }
    }
    this.#polling = undefined;
  }

  #noteFailure(error: unknown): void {
    this.on.failed(error, 'could not poll for waiting work');
  }

  /**
   * Passes attempts to workers of the group. `passed`: attempts that were passed to other workers; adds its own, up to
   * `max`.
   */
  async #serve(group: WaitingGroup, { passed, max }: PassedAttempts): Promise<void> {
    const { filter, takers } = group;
    const agents = agentsOf(group);
    if (agents.length === 0) return;
    const limit = Math.min(Math.ceil(maxAtOnce / agents.length), takers.size + passed.size);
    const except = seesAll(group) ? [] : this.queue.denied.deniedTo({ ...filter, agents });
    const waiting = await this.queue.waiting({ ...filter, agents, except }, limit);
    for (const attempt of waiting) {
      const key = attemptKey(attempt);
      if (passed.has(key) || passed.size >= max) continue;
      const taker = this.workers.removeFor(group, attempt);
      if (!taker) continue;
      passed.add(key);
      taker.take(attempt);
    }
  }
}
