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

/** How many attempts one claim tries to start, because the rows of some may be older than their runs. */
const maxTries = 20;
/** How long a claim of a worker that does not see everything searches for an attempt that it may start. */
const maxSearchMs = 1_000;
/** A claim gives up after it was overtaken this many times; each time, another worker has claimed an attempt. */
const maxOvertaken = 20;

/** Claims attempts for workers, and starts them. */
@Injectable()
export class WorkClaimer {
  constructor(
    private readonly queue: WorkQueue,
    private readonly claims: AttemptClaims,
    private readonly attempts: PreparedAttempts,
    private readonly starter: AttemptStarter,
  ) {}

  /**
   * Claims and starts an attempt. Undefined if another worker has claimed it, a limit of running attempts is reached, the run
   * refuses, or some input of the step is hidden from the worker.
   */
  async claim(
    principal: Principal,
    waiting: WaitingAttempt,
    leaseMs?: number,
  ): Promise<ClaimedWork | undefined> {
    if (seesEverything(principal)) return this.#claim(principal, waiting, leaseMs);
    return this.#claimVisible(principal, waiting, leaseMs);
  }

  /** Starts the attempt that has waited longest for one of these agents and may start now. Undefined if there is none. */
  async claimNext(
    principal: Principal,
    agents: readonly string[],
    leaseMs?: number,
  ): Promise<ClaimedWork | undefined> {
    if (!seesEverything(principal)) return this.#claimNextVisible(principal, agents, leaseMs);
    const { workspace, contexts, workflows, name: by } = principal;
    const filter = { workspace, agents, contexts, workflows };
    // These claims are held until another attempt starts, so that each row is tried once; they are given up after an error too.
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
      // Gives up after an error too: other workers may try at once, and the attempt no longer counts towards a limit.
      if (!started) await this.claims.giveUp(principal.workspace, waiting, endsAt);
    }
  }

  /** Reads the attempt before the claim, so that a worker from which inputs are hidden never claims it. */
  async #claimVisible(
    principal: Principal,
    waiting: WaitingAttempt,
    leaseMs: number | undefined,
  ): Promise<ClaimedWork | undefined> {
    const prepared = await this.attempts.readVisible(principal, waiting);
    return prepared && this.#claim(principal, waiting, leaseMs, prepared);
  }

  /** Undefined if no attempt may start. */
  async #claimRow(...claim: Parameters<WorkQueue['claimNext']>): Promise<AttemptClaim | undefined> {
    for (let tries = 0; tries < maxOvertaken; tries++) {
      const next = await this.queue.claimNext(...claim);
      if (next !== 'overtaken') return next;
    }
    return undefined;
  }

  async #claimNextVisible(
    principal: Principal,
    agents: readonly string[],
    leaseMs: number | undefined,
  ): Promise<ClaimedWork | undefined> {
    const { workspace, contexts, workflows } = principal;
    const filter = { workspace, agents, contexts, workflows };
    const denied = this.attempts.denied.deniedTo(principal, agents);
    const tried: WaitingAttempt[] = [];
    const end = performance.now() + maxSearchMs;
    do {
      const next = await this.queue.waiting({ ...filter, except: [...denied, ...tried] });
      if (next.length === 0) return undefined;
      for (const waiting of next) {
        tried.push(waiting);
        const started = await this.#claimVisible(principal, waiting, leaseMs);
        if (started) return started;
      }
    } while (performance.now() < end);
    return undefined;
  }
}
