import { Injectable } from '@nestjs/common';

import { type CompiledWorkflow } from '#workflow';

import { type Principal } from '../access/principal.js';
import { AttemptClaims } from './attempt-claims.js';
import { hashOfToken, encodeToken } from './attempt-token.js';
import { type PreparedAttempt, PreparedAttempts, unlessRefused } from './prepared-attempts.js';
import { RunWriter } from './run-writer.js';
import { type ClaimedWork } from './runs.messages.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { authorFor, holderOf, originFor } from './worker.js';

/**
 * A claim. `since`: a time before the claim, by the monotonic clock of this process. `prepared`: if it was read before the
 * claim.
 */
type ClaimToStart = Readonly<{
  since: number;
  leaseMs: number | undefined;
  prepared?: PreparedAttempt | undefined;
}>;

type Lease = Readonly<{ since: number; ms: number }>;

/** Starts attempts for the workers that have claimed them. */
@Injectable()
export class AttemptStarter {
  constructor(
    private readonly claims: AttemptClaims,
    private readonly attempts: PreparedAttempts,
    private readonly writer: RunWriter,
  ) {}

  /** Undefined if the run refuses the start. */
  start(
    principal: Principal,
    waiting: WaitingAttempt,
    { since, leaseMs, prepared }: ClaimToStart,
  ): Promise<ClaimedWork | undefined> {
    const { workspace, name: by } = principal;
    const lease = { since, ms: leaseMs ?? this.claims.leaseMs };
    return unlessRefused(async () => {
      const toStart = prepared ?? (await this.attempts.read(principal, waiting));
      const started = toStart && (await this.#start(principal, toStart, lease));
      // After a slow start, renews the lease, so that the worker has time for its first heartbeat.
      if (started && usedShare(lease) > 0.5)
        await this.claims.renew(workspace, waiting, { by, leaseMs });
      return started;
    });
  }

  async #start(
    principal: Principal,
    { scheduled, facts }: PreparedAttempt,
    lease: Lease,
  ): Promise<ClaimedWork | undefined> {
    const { waiting, workflow } = scheduled;
    const { contextId, runId, stepId, visit, attempt, agent } = waiting;
    const envelope = await this.attempts.envelopes.make(principal, scheduled, facts);
    const attemptToken = encodeToken({ ...waiting, claimedBy: holderOf(principal) });
    const tokenHash = hashOfToken(attemptToken);
    const origin = originFor(principal, agent);
    const request = { principal, contextId, origin, startedUnder: tokenHash };
    const worker = authorFor(principal, agent);
    const { effectKey, receipt } = envelope;
    // If this process was suspended meanwhile, another one may be about to start the attempt.
    if (usedShare(lease) >= 1) return undefined;
    const { now, epoch } = facts;
    const run = { runId, workflow, now, epoch };
    const { events } = await this.writer.write(request, run, {
      type: 'claim',
      stepId,
      visit,
      attempt,
      tokenHash,
      worker,
      effectKey,
      receipt: receipt ?? undefined,
    });
    const isStarted = events.some(({ type }) => type === 'StepAttemptStarted');
    if (!isStarted) return undefined;
    const timeoutMs = timeoutOf(workflow, stepId);
    const deadline = new Date(now + timeoutMs).toISOString();
    return { ...envelope, agent, attemptToken, deadline, timeoutMs };
  }
}

function usedShare({ since, ms }: Lease): number {
  return (performance.now() - since) / ms;
}

function timeoutOf({ steps }: CompiledWorkflow, stepId: string): number {
  const step = steps[stepId];
  return step?.type === 'agent' ? step.attempts.timeoutMs : 0;
}
