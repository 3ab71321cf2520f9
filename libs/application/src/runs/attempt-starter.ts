import { Injectable } from '@nestjs/common';

import { DomainError } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { hashOfToken, makeToken } from './attempt-token.js';
import { EnvelopeMaker } from './envelope-maker.js';
import { type FoundRun } from './run-definitions.js';
import { RunWriter } from './run-writer.js';
import { type ClaimedWork } from './runs.messages.js';
import { type WaitingAttempt, WorkQueue } from './work-queue.js';
import { authorFor, holderOf, originFor } from './worker.js';

/** Starts attempts for whoever has claimed them. */
@Injectable()
export class AttemptStarter {
  constructor(
    private readonly queue: WorkQueue,
    private readonly envelopes: EnvelopeMaker,
    private readonly writer: RunWriter,
  ) {}

  /** Undefined if somebody else is about to start it, or the run refuses. */
  async tryStart(
    principal: Principal,
    waiting: WaitingAttempt,
    leaseMs?: number,
  ): Promise<ClaimedWork | undefined> {
    const { workspace, name: by } = principal;
    const since = performance.now();
    const endsAt = await this.queue.claim(workspace, waiting, { by, leaseMs });
    if (endsAt === undefined) return undefined;
    const lease = { since, ms: leaseMs ?? this.queue.leaseMs };
    let started: ClaimedWork | undefined;
    try {
      started = await this.#start(principal, waiting, lease);
    } catch (error) {
      // The row was behind: what the run itself refuses does not concern the worker.
      if (!(error instanceof DomainError && refusals.has(error.code))) throw error;
    }
    if (!started) await this.queue.endClaim(workspace, waiting, endsAt);
    // The worker gets time for its first heartbeat, however long the start has taken.
    else if (usedUp(lease) > 0.5) await this.queue.renew(workspace, waiting, { by, leaseMs });
    return started;
  }

  async #start(
    principal: Principal,
    waiting: WaitingAttempt,
    lease: Lease,
  ): Promise<ClaimedWork | undefined> {
    const { contextId, runId, stepId, visit, attempt, agent } = waiting;
    const found = await this.writer.find({ principal, contextId }, runId);
    const { workflow } = found;
    if (!workflow) return undefined;
    const envelope = await this.envelopes.make(waiting, { ...found, principal, workflow });
    const attemptToken = makeToken({ ...waiting, claimedBy: holderOf(principal) });
    const tokenHash = hashOfToken(attemptToken);
    const origin = originFor(principal, agent);
    const request = { principal, contextId, origin, startedUnder: tokenHash };
    const worker = authorFor(principal, agent);
    const { effectKey, receipt } = envelope;
    // As after a process was stopped: others may be about to start it.
    if (usedUp(lease) >= 1) return undefined;
    const { events } = await this.writer.advance(request, found, {
      ...{ type: 'claim', stepId, visit, attempt, tokenHash, worker, effectKey },
      receipt: receipt ?? undefined,
    });
    const isStarted = events.some(({ type }) => type === 'StepAttemptStarted');
    if (!isStarted) return undefined;
    const timeoutMs = timeoutOf(found, stepId);
    const deadline = new Date(found.now + timeoutMs).toISOString();
    return { ...envelope, agent, attemptToken, deadline, timeoutMs };
  }
}

/** `since`: before it was claimed, by the monotonic clock of this process. */
type Lease = Readonly<{ since: number; ms: number }>;

function usedUp({ since, ms }: Lease): number {
  return (performance.now() - since) / ms;
}

/** What says that an attempt is not to be started now. */
const refusals: ReadonlySet<string> = new Set([
  ...['run-state', 'stale-attempt', 'context-not-found', 'context-closed', 'not-found'],
]);

function timeoutOf({ workflow }: FoundRun, stepId: string): number {
  const step = workflow?.steps[stepId];
  return step?.type === 'agent' ? step.attempts.timeoutMs : 0;
}
