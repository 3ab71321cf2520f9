import { setTimeout as wait } from 'node:timers/promises';

import { Inject, Injectable } from '@nestjs/common';

import { type ContextId } from '#read-models';

import { FAILURE_LOG, type FailureLog } from '../tokens.js';
import { DueRuns } from './due-runs.js';
import { WorkQueue } from './work-queue.js';

const lookMs = 1_000;
/** So many runs are looked at in one go. */
const someRuns = 50;
/** A run that time did not change, as its row is behind, is left alone for so long. */
const restMs = 30_000;
const mostResting = 10_000;

/**
 * Lets time pass in runs: deadlines of attempts, approvals that expire, limits of duration, the ends of cancellations. Any number of
 * processes may do so: what one has brought about, others find done.
 */
@Injectable()
export class RunTimers {
  readonly #stop = new AbortController();
  readonly #resting = new Map<string, number>();
  #running: Promise<void> | undefined;

  constructor(
    private readonly runs: DueRuns,
    private readonly queue: WorkQueue,
    @Inject(FAILURE_LOG) private readonly failed: FailureLog,
  ) {}

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when the run in hand is done with. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Advances runs that are due; how many it has changed. */
  async look(): Promise<number> {
    await this.queue.removeLapsed();
    const due = await this.runs.find(someRuns + this.#resting.size);
    let changed = 0;
    for (const id of due.filter((each) => !this.#rests(each))) {
      if (this.#stop.signal.aborted) break;
      if (await this.#advance(id)) changed += 1;
      else this.#rest(id);
    }
    return changed;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const changed = await this.look().catch((error: unknown) => this.#note(error));
      if (changed === 0) await pause(lookMs, this.#stop.signal);
    }
  }

  /** A run that cannot be advanced keeps no other one waiting. */
  async #advance(id: ContextId): Promise<boolean> {
    try {
      return await this.runs.advance(id);
    } catch (error) {
      this.#note(error);
      return false;
    }
  }

  #note(error: unknown): number {
    if (!this.#stop.signal.aborted) this.failed(error, 'let time pass in runs');
    return 0;
  }

  #rests(id: ContextId): boolean {
    const until = this.#resting.get(nameOf(id));
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#resting.delete(nameOf(id));
    return false;
  }

  #rest(id: ContextId): void {
    if (this.#resting.size >= mostResting) this.#resting.clear();
    this.#resting.set(nameOf(id), performance.now() + restMs);
  }
}

function nameOf({ workspace, contextId }: ContextId): string {
  return JSON.stringify([workspace, contextId]);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  });
}
