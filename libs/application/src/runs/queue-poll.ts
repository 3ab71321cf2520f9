import { setTimeout as wait } from 'node:timers/promises';

import { type FailureLog } from '../tokens.js';
import { type Passing, CapacityChecks, agentsOf, placeOf } from './capacity-checks.js';
import { type WaitingGroup, type WaitingWorkers, seesAll } from './waiting-workers.js';
import { type WorkQueue } from './work-queue.js';

/** The mean time between two polls: for attempts that are due later, or that another process has released or made room for. */
const pollMs = 1_000;
/** The most attempts that one poll reads for a group, whatever their agents. */
const maxAtOnce = 500;

/** Reads attempts from the rows of open work for the workers that wait in this process. */
export class QueuePoll {
  readonly #roomLooks: CapacityChecks<WaitingGroup>;
  #polling: Promise<void> | undefined;

  constructor(
    private readonly queue: Pick<WorkQueue, 'waiting' | 'denied'>,
    private readonly workers: WaitingWorkers,
    private readonly on: Readonly<{ isStopping: () => boolean; failed: FailureLog }>,
  ) {
    this.#roomLooks = new CapacityChecks(queue, {
      groups: () => workers.groups(),
      look: (group, passing) => this.#look(group, passing),
      failed: (error) => this.#noteFailure(error),
    });
  }

  /** Polls for as long as workers wait. */
  start(): void {
    this.#polling ??= this.#poll();
  }

  /** An attempt has ended in a workspace with limits, so that others may start. */
  noteRoom(workspace: string): void {
    void this.#roomLooks.note(workspace);
  }

  async #poll(): Promise<void> {
    while (!this.workers.isEmpty && !this.on.isStopping()) {
      await wait(pollMs * (0.5 + Math.random()), undefined, { ref: false });
      // An attempt that was found for one group may be found for another one before it is claimed.
      const passed = new Map<string, Set<string>>();
      for (const group of this.workers.groups()) {
        const { workspace } = group.filter;
        const ofWorkspace = passed.get(workspace) ?? new Set();
        passed.set(workspace, ofWorkspace);
        await this.#look(group, { passed: ofWorkspace, most: Infinity }).catch((error: unknown) =>
          this.#noteFailure(error),
        );
      }
    }
    this.#polling = undefined;
  }

  #noteFailure(error: unknown): void {
    this.on.failed(error, 'could not look for work that waits');
  }

  /** `passed`: attempts that other workers were given; those that workers of this group are given are added, up to `most`. */
  async #look(group: WaitingGroup, { passed, most }: Passing): Promise<void> {
    const { filter, takers } = group;
    const agents = agentsOf(group);
    if (agents.length === 0) return;
    const limit = Math.min(Math.ceil(maxAtOnce / agents.length), takers.size + passed.size);
    const except = seesAll(group) ? [] : this.queue.denied.of({ ...filter, agents });
    const waiting = await this.queue.waiting({ ...filter, agents, except }, limit);
    for (const attempt of waiting) {
      const place = placeOf(attempt);
      if (passed.has(place) || passed.size >= most) continue;
      const taker = this.workers.removeFor(group, attempt);
      if (!taker) continue;
      passed.add(place);
      taker.take(attempt);
    }
  }
}
