import { type ClaimedWork, type WorkEnvelope } from './api.js';
import { AttemptClock } from './attempt-clock.js';
import { leadOf } from './attempt-timing.js';
import { isThroughlineError, type ThroughlineError } from './errors.js';
import { reasonOf } from './failure-reason.js';
import { waysToReport } from './failure-reports.js';
import { sendHeartbeats } from './heartbeats.js';
import { type HttpClient } from './http-client.js';
import { pause } from './pause.js';
import { isRefusal, sendReport } from './send-report.js';
import { WorkFailure } from './work-failure.js';

/**
 * Does the work of one attempt and returns its output, any JSON. `signal` aborts when the work is no longer needed or its time limit
 * is reached; its reason is a {@link WorkFailure}, or the `stale-attempt` of the server. The attempt is then reported when the handler has
 * settled, or after `graceMs`.
 */
export type WorkHandler = (
  work: WorkEnvelope,
  tools: Readonly<{ signal: AbortSignal; graceMs: number }>,
) => unknown | Promise<unknown>;

export type AttemptResult = 'completed' | 'failed' | 'dropped';

/** `cause`: the error of a failed attempt, or the reason why nothing was stored for a dropped one. */
type AttemptEnd = Readonly<{ result: AttemptResult; cause?: unknown }>;

type Outcome = Readonly<{ output: unknown } | { error: unknown }>;

/** One attempt of a step: runs the handler, sends heartbeats and reports the result. */
export class Attempt {
  readonly envelope: WorkEnvelope;
  readonly #clock: AttemptClock;
  readonly #attempt: Readonly<{ http: HttpClient; clock: AttemptClock; attemptToken: string }>;
  readonly #ending = new AbortController();
  /** Aborts when the attempt has been reported. */
  readonly #over = new AbortController();

  constructor(http: HttpClient, { attemptToken, ...envelope }: ClaimedWork) {
    this.envelope = envelope;
    this.#clock = new AttemptClock(envelope);
    this.#attempt = { http, clock: this.#clock, attemptToken };
  }

  /** Aborts the signal of the handler; the attempt fails with this reason, unless it is stale. */
  end(reason: WorkFailure | ThroughlineError): void {
    this.#ending.abort(reason);
  }

  /** Resolves when the handler has settled and its result was reported. */
  async run(handler: WorkHandler): Promise<AttemptEnd> {
    const over = this.#over.signal;
    const { leadMs, graceMs } = leadOf(this.#clock.left());
    void sendHeartbeats({ ...this.#attempt, signal: over }, (reason) => this.end(reason));
    void this.#endBeforeDeadline(leadMs);
    const tools = { signal: this.#ending.signal, graceMs };
    const handled = (async () => handler(this.envelope, tools))();
    try {
      return await this.#report(await this.#outcomeOf(handled, graceMs));
    } finally {
      this.#over.abort();
      await handled.catch(() => undefined);
    }
  }

  /** Returns the outcome of the handler. If it is aborted before, returns the reason after it has settled or its grace period has ended. */
  async #outcomeOf(handled: Promise<unknown>, graceMs: number): Promise<Outcome> {
    const { signal } = this.#ending;
    const settled = handled.then(
      (output) => ({ output }),
      (error: unknown) => ({ error }),
    );
    const outcome = await Promise.race([settled, abortionOf(signal)]);
    if (outcome) return outcome;
    const isSettled = new AbortController();
    void settled.then(() => isSettled.abort());
    await pause(graceMs, isSettled.signal);
    return { error: signal.reason };
  }

  async #report(outcome: Outcome): Promise<AttemptEnd> {
    if ('error' in outcome) return this.#fail(outcome.error);
    try {
      const body = { output: outcome.output ?? null };
      await sendReport(this.#attempt, { type: 'complete', body });
      return { result: 'completed' };
    } catch (error) {
      return isRefusal(error)
        ? this.#fail(refusedOutput(error))
        : { result: 'dropped', cause: error };
    }
  }

  async #fail(cause: unknown): Promise<AttemptEnd> {
    if (isStale(cause, this.#ending.signal)) return { result: 'dropped', cause };
    const failure = cause instanceof WorkFailure ? cause : new WorkFailure(reasonOf(cause));
    let refusal: unknown;
    for (const reportAfter of waysToReport(failure.report()))
      try {
        await sendReport(this.#attempt, { type: 'fail', body: reportAfter(reasonOf(refusal)) });
        return { result: 'failed', cause };
      } catch (error) {
        refusal = error;
        if (!isRefusal(error)) break;
      }
    return { result: 'dropped', cause: refusal };
  }

  async #endBeforeDeadline(leadMs: number): Promise<void> {
    const leftMs = Math.max(0, this.#clock.left() - leadMs);
    await pause(leftMs, this.#over.signal);
    if (this.#over.signal.aborted) return;
    this.end(new WorkFailure('the work did not end before its deadline', { code: 'timeout' }));
  }
}

/** Whether the server accepts no report. Compares with the signal, because a handler may throw the error of another attempt. */
function isStale(error: unknown, { reason }: AbortSignal): boolean {
  return error === reason && isThroughlineError(error, 'stale-attempt');
}

function refusedOutput(cause: unknown): WorkFailure {
  const reason = isThroughlineError(cause)
    ? cause.message
    : `the output cannot be sent as JSON: ${reasonOf(cause)}`;
  return new WorkFailure(reason, { code: 'output-refused', cause });
}

function abortionOf(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
}
