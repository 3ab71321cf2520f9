import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { type Principal } from '../access/principal.js';
import { DueRuns } from './due-runs.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** So long an attempt is left to others: those who wait look for work about once a second, in every process. */
const leftToOthersMs = 3_000;
const mostRemembered = 10_000;

/** Claims of workers who do not see what the step of the attempt needs. */
@Injectable()
export class DeniedClaims {
  /** When a claim of an attempt was first denied here, by the monotonic clock. */
  readonly #since = new LRUCache<string, number>({ max: mostRemembered });

  constructor(private readonly runs: DueRuns) {}

  /**
   * The attempt fails before its start if nobody who sees more has taken it since it was first denied to somebody: however long it has
   * waited before, as in a paused run. `hidden`: the name in the step's `input`.
   */
  async deny(
    { workspace, name: by }: Principal,
    { contextId, runId, stepId, visit, attempt, version }: WaitingAttempt,
    hidden: string,
  ): Promise<void> {
    const place = JSON.stringify([workspace, contextId, version]);
    const now = performance.now();
    const since = this.#since.get(place) ?? now;
    this.#since.set(place, since);
    if (now - since < leftToOthersMs) return;
    await this.runs.advance({ workspace, contextId }, (run) =>
      run.runId === runId ? { type: 'deny', stepId, visit, attempt, hidden, by } : undefined,
    );
  }
}
