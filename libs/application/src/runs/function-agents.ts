import { setTimeout as wait } from 'node:timers/promises';

import { CommandBus } from '@nestjs/cqrs';

import { type JsonValue, DomainError, isDomainError, parseJson } from '#event-sourcing';
import { pause } from '#polling';
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
 * Executes an attempt, and returns its output. An error that it throws fails the attempt: `code` of the error becomes the
 * code of the failure, and `retryable: false` prevents another attempt. `signal` aborts at the deadline of the attempt,
 * when its run is cancelled, and when the application stops.
 */
export type AgentFunction = (
  envelope: Envelope,
  options: Readonly<{ signal: AbortSignal }>,
) => Promise<JsonValue> | JsonValue;

type FunctionAgentsOptions = Readonly<{
  /** By agent id. */
  functions: Readonly<Record<string, AgentFunction>>;
  /** How many attempts run at once. */
  concurrency: number;
  principal: Principal;
}>;

const claimSeconds = 20;
/** The limit of timers in Node.js. */
const longestTimerMs = 2_147_483_647;
/** Short, so that other processes soon continue the work of a killed one. */
const longestLeaseMs = 10_000;
/** The pause after a failure of the store. */
const restMs = 500;
/** Codes of errors that a repeated report would cause again. */
const refusals: ReadonlySet<string> = new Set(['validation-failed', 'append-too-large']);

/** Runs agents that are functions of this process. They claim, renew and report as every worker does. */
export class FunctionAgents {
  readonly #stop = new AbortController();
  #running: readonly Promise<void>[] = [];

  constructor(
    private readonly commands: CommandBus,
    private readonly options: FunctionAgentsOptions,
    private readonly runs: Pick<RunOptions, 'leaseMs'>,
    private readonly failed: FailureLog,
  ) {}

  start(): void {
    const { functions, concurrency } = this.options;
    if (this.#running.length > 0 || Object.keys(functions).length === 0) return;
    this.#running = Array.from({ length: concurrency }, () => this.#work());
  }

  /** Aborts the signals of all functions. Resolves once no function runs and all results are reported. */
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
    const options = { seconds: claimSeconds, signal, leaseMs: this.#leaseMs };
    while (!signal.aborted)
      try {
        const claim = new ClaimWorkCommand(this.options.principal, agents, options);
        const work = await this.commands.execute(claim);
        if (work) await this.#process(work);
      } catch (error) {
        if (!signal.aborted) this.failed(error, 'a function could not claim its work');
        await pause(restMs, signal);
      }
  }

  async #process(work: ClaimedWork): Promise<void> {
    const { attemptToken, timeoutMs } = work;
    const end = performance.now() + timeoutMs;
    const ended = new AbortController();
    const cancelled = new AbortController();
    const timeout = AbortSignal.timeout(Math.min(timeoutMs, longestTimerMs));
    const signal = AbortSignal.any([this.#stop.signal, cancelled.signal, timeout]);
    const heartbeats = this.#keepAlive(attemptToken, ended.signal, cancelled);
    try {
      const report = await this.#call(work, signal);
      await this.#report(attemptToken, report, end);
    } finally {
      ended.abort();
      await heartbeats;
    }
  }

  async #call({ agent, ...envelope }: ClaimedWork, signal: AbortSignal): Promise<WorkReport> {
    try {
      const run = this.options.functions[agent];
      if (!run) throw new Error(`there is no function for agent "${agent}"`);
      const output: unknown = await run(envelope, { signal });
      // A value that is not JSON, such as a circular one, fails the attempt here. JSON has no undefined.
      const text = JSON.stringify(output ?? null) as string | undefined;
      return { type: 'complete', output: parseJson(text ?? 'null') };
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Renews the lease until the attempt has ended; aborts the function if its result is no longer needed. */
  async #keepAlive(
    attemptToken: string,
    ended: AbortSignal,
    cancelled: AbortController,
  ): Promise<void> {
    for (;;) {
      await pause(this.#leaseMs / 3, ended);
      if (ended.aborted) return;
      try {
        const beat = new HeartbeatCommand(this.options.principal, attemptToken, this.#leaseMs);
        const { cancelRequested } = await this.commands.execute(beat);
        if (cancelRequested) cancelled.abort();
      } catch (error) {
        if (isStale(error)) cancelled.abort();
        else this.failed(error, 'a function could not renew its lease');
      }
    }
  }

  /** Repeats the report until the deadline of the attempt, so that an outage of the store loses no result. */
  async #report(attemptToken: string, report: WorkReport, end: number): Promise<void> {
    const request = { principal: this.options.principal };
    for (;;)
      try {
        await this.commands.execute(new ReportWorkCommand(request, attemptToken, report));
        return;
      } catch (error) {
        // The result is no longer needed.
        if (isStale(error)) return;
        if (report.type === 'complete' && isRefused(error))
          return this.#report(attemptToken, refusedOutput(error), end);
        this.failed(error, 'a function could not report its work');
        if (isRefused(error) || performance.now() > end) return;
        await wait(restMs);
      }
  }
}

function isStale(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'stale-attempt';
}

function isRefused(error: unknown): error is DomainError {
  return isDomainError(error) && refusals.has(error.code);
}

/** The failure to report if an output is refused: a function cannot correct its output. */
function refusedOutput({ message }: DomainError): WorkReport {
  const reason = `its output was refused: ${message}`.slice(0, 10_000);
  return { type: 'fail', reason, code: 'output-refused', retryable: true };
}

function failureOf(error: unknown): WorkReport {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 10_000);
  const { code, retryable } = Object(error) as Readonly<{ code?: unknown; retryable?: unknown }>;
  return {
    type: 'fail',
    reason: reason || 'the function failed without a reason',
    ...(typeof code === 'string' && code !== '' && { code: code.slice(0, 256) }),
    retryable: retryable !== false,
  };
}
