import { Injectable } from '@nestjs/common';

import { DomainError } from '#event-sourcing';
import { type CompiledWorkflow } from '#workflow';

import { type Principal } from '../access/principal.js';
import { AttemptClaims } from './attempt-claims.js';
import { AttemptFacts } from './attempt-facts.js';
import { hashOfToken, makeToken } from './attempt-token.js';
import { DeniedClaims } from './denied-claims.js';
import { EnvelopeMaker } from './envelope-maker.js';
import { RunWriter } from './run-writer.js';
import { type ClaimedWork } from './runs.messages.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { type ClaimedNext, WorkQueue } from './work-queue.js';
import { authorFor, holderOf, originFor } from './worker.js';

/** So many rows may be behind their runs for one claim. */
const mostTries = 20;
/** So often others may be faster for one claim: each time somebody has got an attempt. */
const mostOvertaken = 20;

/** What an attempt is started with. */
@Injectable()
export class StartParts {
  constructor(
    readonly facts: AttemptFacts,
    readonly envelopes: EnvelopeMaker,
    readonly writer: RunWriter,
    readonly denied: DeniedClaims,
  ) {}
}

/** Starts attempts for whoever has claimed them. */
@Injectable()
export class AttemptStarter {
  constructor(
    private readonly queue: WorkQueue,
    private readonly claims: AttemptClaims,
    private readonly parts: StartParts,
  ) {}

  /** Undefined if somebody else is about to start it, as many attempts run as may, or the run refuses. */
  async tryStart(
    principal: Principal,
    waiting: WaitingAttempt,
    leaseMs?: number,
  ): Promise<ClaimedWork | undefined> {
    const since = performance.now();
    const lease = { by: principal.name, leaseMs };
    const endsAt = await this.claims.claim(principal.workspace, waiting, lease);
    if (endsAt === undefined) return undefined;
    const started = await this.#startClaimed(principal, waiting, { since, leaseMs });
    if (!started) await this.claims.giveUp(principal.workspace, waiting, endsAt);
    return started;
  }

  /** Starts the attempt that has waited longest for one of these agents and may start now. Undefined if there is none. */
  async startNext(
    principal: Principal,
    agents: readonly string[],
    leaseMs?: number,
  ): Promise<ClaimedWork | undefined> {
    const { workspace, contexts, workflows, name: by } = principal;
    const filter = { workspace, agents, contexts, workflows };
    // Held until another one is started, so that each row is looked at once.
    const behind: ClaimedNext[] = [];
    try {
      while (behind.length < mostTries) {
        const since = performance.now();
        const held = behind.map(({ waiting }) => waiting);
        const next = await this.#claimNext(filter, { by, leaseMs }, held);
        if (!next) return undefined;
        const started = await this.#startClaimed(principal, next.waiting, { since, leaseMs });
        if (started) return started;
        behind.push(next);
      }
      return undefined;
    } finally {
      for (const { waiting, endsAt } of behind)
        await this.claims.giveUp(workspace, waiting, endsAt);
    }
  }

  /** Undefined if no attempt waits that may start. */
  async #claimNext(...claim: Parameters<WorkQueue['claimNext']>): Promise<ClaimedNext | undefined> {
    for (let tries = 0; tries < mostOvertaken; tries++) {
      const next = await this.queue.claimNext(...claim);
      if (next !== 'overtaken') return next;
    }
    return undefined;
  }

  /** Undefined if the run refuses, or the worker does not see what it would need. */
  async #startClaimed(
    principal: Principal,
    waiting: WaitingAttempt,
    { since, leaseMs }: Readonly<{ since: number; leaseMs: number | undefined }>,
  ): Promise<ClaimedWork | undefined> {
    const { workspace, name: by } = principal;
    const lease = { since, ms: leaseMs ?? this.claims.leaseMs };
    try {
      const started = await this.#start(principal, waiting, lease);
      // The worker gets time for its first heartbeat, however long the start has taken.
      if (started && usedUp(lease) > 0.5)
        await this.claims.renew(workspace, waiting, { by, leaseMs });
      return started;
    } catch (error) {
      // The row was behind: what the run itself refuses does not concern the worker.
      if (!(error instanceof DomainError && refusals.has(error.code))) throw error;
      return undefined;
    }
  }

  async #start(
    principal: Principal,
    waiting: WaitingAttempt,
    lease: Lease,
  ): Promise<ClaimedWork | undefined> {
    const { contextId, runId, stepId, visit, attempt, agent } = waiting;
    const [scheduled, facts] = await Promise.all([
      this.parts.envelopes.find(principal, waiting),
      this.parts.facts.read(principal.workspace),
    ]);
    if (!scheduled) return undefined;
    const { workflow } = scheduled;
    const hidden = this.parts.envelopes.findHidden(scheduled, facts);
    if (hidden !== undefined) {
      await this.parts.denied.deny(principal, waiting, hidden);
      return undefined;
    }
    const envelope = await this.parts.envelopes.make(principal, scheduled, facts);
    const attemptToken = makeToken({ ...waiting, claimedBy: holderOf(principal) });
    const tokenHash = hashOfToken(attemptToken);
    const origin = originFor(principal, agent);
    const request = { principal, contextId, origin, startedUnder: tokenHash };
    const worker = authorFor(principal, agent);
    const { effectKey, receipt } = envelope;
    // As after a process was stopped: others may be about to start it.
    if (usedUp(lease) >= 1) return undefined;
    const { now, epoch } = facts;
    const run = { runId, workflow, now, epoch };
    const { events } = await this.parts.writer.write(request, run, {
      ...{ type: 'claim', stepId, visit, attempt, tokenHash, worker, effectKey },
      receipt: receipt ?? undefined,
    });
    const isStarted = events.some(({ type }) => type === 'StepAttemptStarted');
    if (!isStarted) return undefined;
    const timeoutMs = timeoutOf(workflow, stepId);
    const deadline = new Date(now + timeoutMs).toISOString();
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

function timeoutOf({ steps }: CompiledWorkflow, stepId: string): number {
  const step = steps[stepId];
  return step?.type === 'agent' ? step.attempts.timeoutMs : 0;
}
