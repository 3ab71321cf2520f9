import { Injectable } from '@nestjs/common';

import { seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { AttemptClaims } from './attempt-claims.js';
import { AttemptStarter } from './attempt-starter.js';
import { type PreparedAttempt, PreparedAttempts } from './prepared-attempts.js';
import { type AttemptClaim } from './queue.rows.js';
import { type ClaimedWork } from './runs.messages.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { WorkQueue } from './work-queue.js';

/** The most attempts that one claim tries to start: the rows of some may be older than their runs. */
const maxTries = 20;
/** A claim of a worker that does not see everything stops looking for an attempt that it may start after this time. */
const maxLookingMs = 1_000;
/** A claim gives up after it was overtaken this many times; each time, another worker has got an attempt. */
const maxOvertaken = 20;

/** Claims attempts for workers, and has them started. */
@Injectable()
export class WorkClaimer {
  constructor(
    private readonly queue: WorkQueue,
    private readonly claims: AttemptClaims,
    private readonly attempts: PreparedAttempts,
    private readonly starter: AttemptStarter,
  ) {}

  /**
   * Undefined if another worker is about to start the attempt, a limit of running attempts is reached, the run refuses, or the worker does
   * not see what the step needs.
   */
  async claim(
    principal: Principal,
    waiting: WaitingAttempt,
    leaseMs?: number,
  ): Promise<ClaimedWork | undefined> {
    if (seesEverything(principal)) return this.#claim(principal, waiting, leaseMs);
    return this.#claimShown(principal, waiting, leaseMs);
  }

  /** Starts the attempt that has waited longest for one of these agents and may start now. Undefined if there is none. */
  async claimNext(
    principal: Principal,
    agents: readonly string[],
    leaseMs?: number,
  ): Promise<ClaimedWork | undefined> {
    if (!seesEverything(principal)) return this.#claimNextShown(principal, agents, leaseMs);
    const { workspace, contexts, workflows, name: by } = principal;
    const filter = { workspace, agents, contexts, workflows };
    // Held until another attempt is started, so that each row is tried once; given up also after an error.
    const refused: AttemptClaim[] = [];
    try {
      while (refused.length < maxTries) {
        const since = performance.now();
        const held = refused.map(({ waiting }) => waiting);
        const next = await this.#claimRow(filter, { by, leaseMs }, held);
        if (!next) return undefined;
        refused.push(next);
        const started = await this.starter.start(principal, next.waiting, { since, leaseMs });
        if (!started) continue;
        refused.pop();
        return started;
      }
      return undefined;
    } finally {
      for (const { waiting, endsAt } of refused)
        await this.claims.giveUp(workspace, waiting, endsAt);
    }
  }

  async #claim(
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
      started = await this.starter.start(principal, waiting, { since, leaseMs, prepared });
      return started;
    } finally {
      // Also after an error: other workers may try at once, and the attempt does not count towards a limit.
      if (!started) await this.claims.giveUp(principal.workspace, waiting, endsAt);
    }
  }

  /** A worker that does not see what the step needs never claims the attempt, not even for a moment. */
  async #claimShown(
    principal: Principal,
    waiting: WaitingAttempt,
    leaseMs: number | undefined,
  ): Promise<ClaimedWork | undefined> {
    const prepared = await this.attempts.readShown(principal, waiting);
    return prepared && this.#claim(principal, waiting, leaseMs, prepared);
  }

  /** Undefined if no attempt waits that may start. */
  async #claimRow(...claim: Parameters<WorkQueue['claimNext']>): Promise<AttemptClaim | undefined> {
    for (let tries = 0; tries < maxOvertaken; tries++) {
      const next = await this.queue.claimNext(...claim);
      if (next !== 'overtaken') return next;
    }
    return undefined;
  }

  async #claimNextShown(
    principal: Principal,
    agents: readonly string[],
    leaseMs: number | undefined,
  ): Promise<ClaimedWork | undefined> {
    const { workspace, contexts, workflows } = principal;
    const filter = { workspace, agents, contexts, workflows };
    const denied = this.attempts.denied.to(principal, agents);
    const tried: WaitingAttempt[] = [];
    const end = performance.now() + maxLookingMs;
    do {
      const next = await this.queue.waiting({ ...filter, except: [...denied, ...tried] });
      if (next.length === 0) return undefined;
      for (const waiting of next) {
        tried.push(waiting);
        const started = await this.#claimShown(principal, waiting, leaseMs);
        if (started) return started;
      }
    } while (performance.now() < end);
    return undefined;
  }
}
