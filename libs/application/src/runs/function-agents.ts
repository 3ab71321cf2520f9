import { setTimeout as wait } from 'node:timers/promises';

import { CommandBus } from '@nestjs/cqrs';

import { DomainError, type JsonValue } from '#event-sourcing';
import { type Envelope } from '#workflow';

import { type Principal } from '../access/principal.js';
import { type FailureLog, type RunOptions } from '../tokens.js';
import {
  ClaimWorkCommand,
  type ClaimedWork,
  HeartbeatCommand,
  ReportWorkCommand,
  type WorkReport,
} from './runs.messages.js';

/**
 * Carries out an attempt, and returns its output. What it throws fails the attempt: `code`, if the error has one, is the
 * failure's, and `retryable: false` says that another attempt would fail alike. `signal` ends with the time of the attempt, with
 * its run, and with the application.
 */
export type AgentFunction = (
  envelope: Envelope,
  given: Readonly<{ signal: AbortSignal }>,
) => Promise<JsonValue> | JsonValue;

export type FunctionAgentsOptions = Readonly<{
  /** By the ids of the agents. */
  functions: Readonly<Record<string, AgentFunction>>;
  /** How many attempts run at once. */
  concurrency: number;
  principal: Principal;
}>;

const claimSeconds = 20;
/** The longest that timers take. */
const longestTimerMs = 2_147_483_647;
/** Of functions: what a process did that has died goes on elsewhere soon. */
const longestLeaseMs = 10_000;
/** Behind a failure of the store. */
const restMs = 500;

/** Agents that are functions of this process. They claim, renew and report as every worker does. */
export class FunctionAgents {
  readonly #stop = new AbortController();
  #running: readonly Promise<void>[] = [];

  constructor(
    private readonly commands: CommandBus,
    private readonly options: FunctionAgentsOptions,
    private readonly runs: RunOptions,
    private readonly failed: FailureLog,
  ) {}

  start(): void {
    const { functions, concurrency } = this.options;
    if (this.#running.length > 0 || Object.keys(functions).length === 0) return;
    this.#running = Array.from({ length: concurrency }, () => this.#work());
  }

  /** Resolves once nothing runs any more: functions are told by their signals, and what they still return is reported. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  get #leaseMs(): number {
    return Math.min(this.runs.leaseMs, longestLeaseMs);
  }

  async #work(): Promise<void> {
    const { signal } = this.#stop;
    const agents = Object.keys(this.options.functions);
    while (!signal.aborted)
      try {
        const options = { seconds: claimSeconds, signal, leaseMs: this.#leaseMs };
        const claim = new ClaimWorkCommand(this.options.principal, agents, options);
        const work = await this.commands.execute(claim);
        if (work) await this.#carryOut(work);
      } catch (error) {
        if (!signal.aborted) this.failed(error, 'a function could not claim or report its work');
        await rest(signal);
      }
  }

  async #carryOut(work: ClaimedWork): Promise<void> {
    const { attemptToken, agent, timeoutMs } = work;
    const ended = new AbortController();
    const signal = AbortSignal.any([
      this.#stop.signal,
      ended.signal,
      AbortSignal.timeout(Math.min(timeoutMs, longestTimerMs)),
    ]);
    const heartbeats = this.#keepAlive(attemptToken, ended);
    const report = await this.#call(agent, work, signal);
    ended.abort();
    await heartbeats;
    await this.#report(attemptToken, report);
  }

  async #call(agent: string, envelope: Envelope, signal: AbortSignal): Promise<WorkReport> {
    try {
      const carryOut = this.options.functions[agent];
      if (!carryOut) throw new Error(`there is no function for agent "${agent}"`);
      return { type: 'complete', output: (await carryOut(envelope, { signal })) ?? null };
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Ends once the attempt has, and ends the attempt if nobody needs it any more. */
  async #keepAlive(attemptToken: string, ended: AbortController): Promise<void> {
    const everyMs = this.#leaseMs / 3;
    for (;;) {
      await wait(everyMs, undefined, { signal: ended.signal }).catch(() => undefined);
      if (ended.signal.aborted) return;
      try {
        const beat = new HeartbeatCommand(this.options.principal, attemptToken, this.#leaseMs);
        const { cancelRequested } = await this.commands.execute(beat);
        if (cancelRequested) ended.abort();
      } catch (error) {
        if (error instanceof DomainError && error.code === 'stale-attempt') ended.abort();
        else this.failed(error, 'a function could not renew its lease');
      }
    }
  }

  async #report(attemptToken: string, report: WorkReport): Promise<void> {
    const request = { principal: this.options.principal };
    try {
      await this.commands.execute(new ReportWorkCommand(request, attemptToken, report));
    } catch (error) {
      // Nobody needs the result any more.
      if (!(error instanceof DomainError && error.code === 'stale-attempt')) throw error;
    }
  }
}

function failureOf(error: unknown): WorkReport {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 10_000);
  const { code, retryable } = Object(error) as Readonly<{ code?: unknown; retryable?: unknown }>;
  return {
    ...{ type: 'fail', reason: reason || 'the function failed without a reason' },
    ...(typeof code === 'string' && code !== '' && { code: code.slice(0, 256) }),
    retryable: retryable !== false,
  };
}

async function rest(signal: AbortSignal): Promise<void> {
  await wait(restMs, undefined, { signal }).catch(() => undefined);
}
