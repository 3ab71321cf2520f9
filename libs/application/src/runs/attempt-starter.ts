import { Injectable } from '@nestjs/common';

import { type CompiledWorkflow } from '#workflow';

import { seesWhole } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';
import { AttemptClaims } from './attempt-claims.js';
import { hashOfToken, makeToken } from './attempt-token.js';
import { type PreparedAttempt, PreparedAttempts, unlessRefused } from './prepared-attempts.js';
import { RunWriter } from './run-writer.js';
import { type ClaimedWork } from './runs.messages.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { type ClaimedNext } from './queue.rows.js';
import { WorkQueue } from './work-queue.js';
import { authorFor, holderOf, originFor } from './worker.js';

/** So many rows may be behind their runs for one claim. */
const mostTries = 20;
/** For so long one claim looks for an attempt that its worker may start, beyond those that need what is hidden. */
const mostLookingMs = 1_000;
/** So often others may be faster for one claim: each time somebody has got an attempt. */
const mostOvertaken = 20;

/** Starts attempts for whoever has claimed them. */
@Injectable()
export class AttemptStarter {
  constructor(
    private readonly queue: WorkQueue,
    private readonly claims: AttemptClaims,
    private readonly attempts: PreparedAttempts,
    private readonly writer: RunWriter,
  ) {}

  /**
   * Undefined if somebody else is about to start it, as many attempts run as may, the run refuses, or the worker does not see what it
   * would need.
   */
  async tryStart(
    principal: Principal,
    waiting: WaitingAttempt,
    leaseMs?: number,
  ): Promise<ClaimedWork | undefined> {
    if (isNarrow(principal)) return this.#tryStartShown(principal, waiting, leaseMs);
    return this.#claimAndStart(principal, waiting, leaseMs);
  }

  async #claimAndStart(
    principal: Principal,
    waiting: WaitingAttempt,
    leaseMs: number | undefined,
    prepared?: PreparedAttempt,
  ): Promise<ClaimedWork | undefined> {
    const since = performance.now();
    const lease = { by: principal.name, leaseMs };
    const endsAt = await this.claims.claim(principal.workspace, waiting, lease);
    if (endsAt === undefined) return undefined;
    let started: ClaimedWork | undefined;
    try {
      started = await this.#startClaimed(principal, waiting, { since, leaseMs, prepared });
      return started;
    } finally {
      // Also behind an error: others may try at once, and no place of a limit is taken.
      if (!started) await this.claims.giveUp(principal.workspace, waiting, endsAt);
    }
  }

  /** Nobody but those who see what it needs holds a claim of it, for however short a time. */
  async #tryStartShown(
    principal: Principal,
    waiting: WaitingAttempt,
    leaseMs: number | undefined,
  ): Promise<ClaimedWork | undefined> {
    const prepared = await this.attempts.readShown(principal, waiting);
    return prepared && this.#claimAndStart(principal, waiting, leaseMs, prepared);
  }

  /** Starts the attempt that has waited longest for one of these agents and may start now. Undefined if there is none. */
  async startNext(
    principal: Principal,
    agents: readonly string[],
    leaseMs?: number,
  ): Promise<ClaimedWork | undefined> {
    if (isNarrow(principal)) return this.#startNextShown(principal, agents, leaseMs);
    const { workspace, contexts, workflows, name: by } = principal;
    const filter = { workspace, agents, contexts, workflows };
    // Claimed until another one is started, so that each row is looked at once; given up also behind an error.
    const behind: ClaimedNext[] = [];
    try {
      while (behind.length < mostTries) {
        const since = performance.now();
        const held = behind.map(({ waiting }) => waiting);
        const next = await this.#claimNext(filter, { by, leaseMs }, held);
        if (!next) return undefined;
        behind.push(next);
        const started = await this.#startClaimed(principal, next.waiting, { since, leaseMs });
        if (!started) continue;
        behind.pop();
        return started;
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

  async #startNextShown(
    principal: Principal,
    agents: readonly string[],
    leaseMs: number | undefined,
  ): Promise<ClaimedWork | undefined> {
    const { workspace, contexts, workflows } = principal;
    const filter = { workspace, agents, contexts, workflows };
    const denied = this.attempts.denied.to(principal, agents);
    const tried: WaitingAttempt[] = [];
    const end = performance.now() + mostLookingMs;
    do {
      const next = await this.queue.waiting({ ...filter, except: [...denied, ...tried] });
      if (next.length === 0) return undefined;
      for (const waiting of next) {
        tried.push(waiting);
        const started = await this.#tryStartShown(principal, waiting, leaseMs);
        if (started) return started;
      }
    } while (performance.now() < end);
    return undefined;
  }

  /** Undefined if the run refuses. */
  #startClaimed(
    principal: Principal,
    waiting: WaitingAttempt,
    { since, leaseMs, prepared }: ClaimedStart,
  ): Promise<ClaimedWork | undefined> {
    const { workspace, name: by } = principal;
    const lease = { since, ms: leaseMs ?? this.claims.leaseMs };
    return unlessRefused(async () => {
      const toStart = prepared ?? (await this.attempts.read(principal, waiting));
      const started = toStart && (await this.#start(principal, toStart, lease));
      // The worker gets time for its first heartbeat, however long the start has taken.
      if (started && usedUp(lease) > 0.5)
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
    const { events } = await this.writer.write(request, run, {
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

/** `prepared`: if that was read before it was claimed. */
type ClaimedStart = Readonly<{
  since: number;
  leaseMs: number | undefined;
  prepared?: PreparedAttempt | undefined;
}>;

/** Whether something may be hidden from the worker. */
function isNarrow(principal: Principal): boolean {
  return !seesWhole(principal);
}

/** `since`: before it was claimed, by the monotonic clock of this process. */
type Lease = Readonly<{ since: number; ms: number }>;

function usedUp({ since, ms }: Lease): number {
  return (performance.now() - since) / ms;
}

function timeoutOf({ steps }: CompiledWorkflow, stepId: string): number {
  const step = steps[stepId];
  return step?.type === 'agent' ? step.attempts.timeoutMs : 0;
}
