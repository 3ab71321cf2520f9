import { Injectable } from '@nestjs/common';

import { type Principal } from '../access/principal.js';
import { firstAudience } from '../audiences/audiences.js';
import { DeniedAttempts } from './denied-attempts.js';
import { DueRuns } from './due-runs.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { WorkArrivals } from './work-arrivals.js';

/** Claims of workers who do not see what the step of the attempt needs. */
@Injectable()
export class DeniedClaims {
  constructor(
    private readonly runs: DueRuns,
    private readonly arrivals: WorkArrivals,
    private readonly denied: DeniedAttempts,
  ) {}

  /** Attempts of these agents that are not looked at again for this worker yet. */
  to(principal: Principal, agents: readonly string[]): readonly WaitingAttempt[] {
    const { workspace } = principal;
    return this.denied.of({ workspace, audience: firstAudience(principal), agents });
  }

  /**
   * The attempt is offered to others who wait. It fails before its start if it has been left to others long enough: however long it has
   * waited before, as in a paused run. `hidden`: the name in the step's `input`.
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
