import { type AttemptClock } from './attempt-clock.js';
import { isThroughlineError } from './errors.js';
import { type HttpClient } from './http-client.js';
import { newIdempotencyKey } from './idempotency-key.js';
import { delayWithinAttempt } from './may-pass.js';
import { pause } from './pause.js';

type Reported = Readonly<{ http: HttpClient; clock: AttemptClock; attemptToken: string }>;
type Report = Readonly<{ type: 'complete' | 'fail'; body: Readonly<Record<string, unknown>> }>;

const [minReportMs, longestReportMs] = [1_000, 10_000];
/** The server does not take what is reported, or it cannot be sent as JSON. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

/**
 * Reports an attempt until the server has stored it or the deadline has passed: repeating a report that was stored changes nothing.
 * Rejects with what the server refuses it with, why it could not be reached, or why the report is not JSON.
 */
export async function sendReport(
  { http, clock, attemptToken }: Reported,
  { type, body }: Report,
): Promise<void> {
  const request = {
    body: { attemptToken, ...body },
    idempotencyKey: newIdempotencyKey(),
    maxRetries: 0,
  };
  for (let attempt = 0; ; attempt++)
    try {
      const timeoutMs = Math.min(http.timeoutMs, reportTimeoutMs(clock.left()));
      await http.request('POST', `/v1/work/${type}`, { ...request, timeoutMs });
      return;
    } catch (error) {
      const delay = delayOf(error, attempt);
      if (delay === undefined || clock.left() <= 0) throw error;
      await pause(Math.min(delay, longestDelayMs(clock.left())));
    }
}

/** A proxy may refuse the size of a report with a page of its own, now and later. */
function delayOf(error: unknown, attempt: number): number | undefined {
  if (!isThroughlineError(error) || isRefusal(error)) return undefined;
  return delayWithinAttempt(error, attempt);
}

/** So that a report is sent again soon, and before the deadline, even if the server asks for more time. */
function longestDelayMs(leftMs: number): number {
  const latest = leftMs > minReportMs ? leftMs - minReportMs : Math.max(0, leftMs);
  return Math.min(longestReportMs, latest);
}

/** So that a report whose answer never comes is sent again before the deadline. */
function reportTimeoutMs(leftMs: number): number {
  return Math.min(longestReportMs, Math.max(minReportMs, leftMs / 3));
}

/** Whether another report of the same attempt may be taken. */
export function isRefusal(error: unknown): boolean {
  return isThroughlineError(error) ? refusals.has(error.status) : true;
}
