import { type Api, type ClaimedWork, type WorkEnvelope } from './api.js';
import { AttemptClock } from './attempt-clock.js';
import { isThroughlineError, type ThroughlineError } from './errors.js';
import { type HttpClient } from './http-client.js';
import { newIdempotencyKey } from './idempotency-key.js';
import { pause } from './pause.js';
import { retryDelay } from './retry-delay.js';
import { WorkFailure } from './work-failure.js';

/**
 * Does the work of one attempt and returns its output, any JSON. `signal` aborts when nobody needs the work any more, or no time is
 * left for it; its reason is a {@link WorkFailure}, or the `stale-attempt` of the server.
 */
export type WorkHandler = (
  work: WorkEnvelope,
  tools: Readonly<{ signal: AbortSignal }>,
) => unknown | Promise<unknown>;

export type AttemptResult = 'completed' | 'failed' | 'dropped';

/** So much of the time of an attempt is left for its report: a tenth, but a second of short ones, or a quarter of very short ones. */
const [usualLeadPart, usualLeadMs, longestLeadPart, longestLeadMs] = [0.1, 1_000, 0.25, 5_000];
const [leastHeartbeatMs, longestHeartbeatMs, longestWaitMs] = [100, 10_000, 2 ** 31 - 1];
/** An output that the server does not take, whatever the run makes of that. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 413, 422]);
const longestReason = 4_000;

/** One attempt of a step: runs the handler under heartbeats and reports what has come of it. */
export class Attempt {
  readonly envelope: WorkEnvelope;
  readonly #token: string;
  readonly #clock: AttemptClock;
  readonly #ending = new AbortController();
  /** Aborts when the attempt has been reported. */
  readonly #over = new AbortController();

  constructor(
    private readonly http: HttpClient,
    work: ClaimedWork,
  ) {
    const { attemptToken, ...envelope } = work;
    this.envelope = envelope;
    this.#token = attemptToken;
    this.#clock = new AttemptClock(work);
  }

  /** Aborts the signal of the handler; the attempt has failed with this, unless it is stale. */
  end(reason: WorkFailure | ThroughlineError): void {
    this.#ending.abort(reason);
  }

  /** Resolves when the handler has settled and its result was reported. */
  async run(handler: WorkHandler): Promise<AttemptResult> {
    const { signal } = this.#ending;
    void this.#sendHeartbeats();
    void this.#endBeforeDeadline();
    const handled = (async () => handler(this.envelope, { signal }))();
    try {
      const output = await Promise.race([handled, rejectionOf(signal)]);
      return await this.#complete(output);
    } catch (error) {
      return await this.#fail(error);
    } finally {
      this.#over.abort();
      await handled.catch(() => undefined);
    }
  }

  async #complete(output: unknown): Promise<AttemptResult> {
    try {
      await this.#report('complete', { output: output ?? null });
      return 'completed';
    } catch (error) {
      if (!isThroughlineError(error) || !refusals.has(error.status)) return 'dropped';
      return this.#fail(new WorkFailure(error.message, { code: 'output-refused' }));
    }
  }

  async #fail(error: unknown): Promise<AttemptResult> {
    if (isThroughlineError(error, 'stale-attempt')) return 'dropped';
    const failure = failureOf(error);
    try {
      await this.#report('fail', failure.report());
      return 'failed';
    } catch {
      return 'dropped';
    }
  }

  /** Until the server has stored it or the deadline has passed: repeating a report that was stored changes nothing. */
  async #report(
    type: 'complete' | 'fail',
    report: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const body = { attemptToken: this.#token, ...report };
    const idempotencyKey = newIdempotencyKey();
    for (let attempt = 0; ; attempt++)
      try {
        await this.http.request('POST', `/v1/work/${type}`, {
          body,
          idempotencyKey,
          maxRetries: 0,
        });
        return;
      } catch (error) {
        const delay = delayAfter(error, attempt);
        if (delay === undefined || this.#clock.left() <= 0) throw error;
        await pause(Math.min(delay, Math.max(0, this.#clock.left())));
      }
  }

  async #endBeforeDeadline(): Promise<void> {
    const left = this.#clock.left();
    const shortMs = Math.min(usualLeadMs, left * longestLeadPart);
    const lead = Math.min(longestLeadMs, Math.max(left * usualLeadPart, shortMs));
    await pause(Math.min(longestWaitMs, Math.max(0, left - lead)), this.#over.signal);
    if (this.#over.signal.aborted) return;
    this.end(new WorkFailure('the handler did not end before the deadline', { code: 'timeout' }));
  }

  /** Three in each lease, so that two of them may be lost. */
  async #sendHeartbeats(): Promise<void> {
    const { signal } = this.#over;
    let failures = 0;
    while (!signal.aborted) {
      let delay: number;
      try {
        delay = this.#delayOf(await this.#heartbeat());
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        const after = delayAfter(error, failures++);
        if (after === undefined) return this.end(staleOf(error));
        delay = Math.min(after, 1_000);
      }
      await pause(delay, signal);
    }
  }

  async #heartbeat(): Promise<Api.HeartbeatResponse> {
    const { body } = await this.http.request<Api.HeartbeatResponse>('POST', '/v1/work/heartbeat', {
      body: { attemptToken: this.#token },
      signal: this.#over.signal,
      maxRetries: 0,
      timeoutMs: longestHeartbeatMs,
    });
    return body;
  }

  #delayOf({ leaseUntil, cancelRequested }: Api.HeartbeatResponse): number {
    if (cancelRequested)
      this.end(
        new WorkFailure('the run is being cancelled', { code: 'cancelled', retryable: false }),
      );
    const third = this.#clock.leftUntil(leaseUntil) / 3;
    return Math.min(longestHeartbeatMs, Math.max(leastHeartbeatMs, third));
  }
}

/** A server that fails may be replaced by one that does not. */
export function delayAfter(error: unknown, attempt: number): number | undefined {
  if (!isThroughlineError(error)) return undefined;
  const delay = retryDelay(error, Math.min(attempt, 4));
  if (delay !== undefined) return delay;
  return (error.status ?? 0) >= 500 || error.status === 429
    ? 1_000 + Math.random() * 1_000
    : undefined;
}

function staleOf(error: unknown): ThroughlineError | WorkFailure {
  return isThroughlineError(error) ? error : failureOf(error);
}

function failureOf(error: unknown): WorkFailure {
  if (error instanceof WorkFailure) return error;
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return new WorkFailure(reason.slice(0, longestReason) || 'no reason was given', { cause: error });
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
}
