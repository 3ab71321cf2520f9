import { Injectable } from '@nestjs/common';

import { type Principal } from '../access/principal.js';
import { firstAudience } from '../audiences/audiences.js';
import { DeniedAttempts } from './denied-attempts.js';
import { DueRuns } from './due-runs.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { WorkArrivals } from './work-arrivals.js';

/** Denies claims of workers that do not see all inputs of the step. */
@Injectable()
export class DeniedClaims {
  constructor(
    private readonly runs: DueRuns,
    private readonly arrivals: WorkArrivals,
    private readonly denied: DeniedAttempts,
  ) {}

  /** Attempts of these agents that were denied to this worker and must not be offered to it yet. */
  deniedTo(principal: Principal, agents: readonly string[]): readonly WaitingAttempt[] {
    const { workspace } = principal;
    return this.denied.deniedTo({ workspace, audience: firstAudience(principal), agents });
  }

  /**
   * Offers the attempt to other waiting workers, or lets it fail before its start if it was reserved for others long
   * enough. The time before its first denial, such as in a paused run, does not count. `hidden`: the name in the `input` of
   * the step.
   */
  async deny(principal: Principal, waiting: WaitingAttempt, hidden: string): Promise<void> {
    const { workspace, name: by } = principal;
    const { contextId, runId, stepId, visit, attempt } = waiting;
    if (!this.denied.deny(workspace, firstAudience(principal), waiting)) {
      this.arrivals.putBack(workspace, waiting);
      return;
    }
    await this.runs.advance({ workspace, contextId }, (run) =>
      run.runId === runId ? { type: 'deny', stepId, visit, attempt, hidden, by } : undefined,
    );
  }
}
