import { type AttemptClock } from './attempt-clock.js';
import { isThroughlineError } from './errors.js';
import { type HttpClient } from './http-client.js';
import { newIdempotencyKey } from './idempotency-key.js';
import { delayWithinAttempt } from './worker-delay.js';
import { pause } from './pause.js';

type ReportedAttempt = Readonly<{ http: HttpClient; clock: AttemptClock; attemptToken: string }>;
type Report = Readonly<{ type: 'complete' | 'fail'; body: Readonly<Record<string, unknown>> }>;

const [minReportMs, longestReportMs] = [1_000, 10_000];
/** Statuses with which the server refuses the content of a report. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

/**
 * Sends the report of an attempt until the server has stored it or the deadline has passed; a repeated report is stored once.
 * Rejects with the refusal of the server, the lost connection, or the error of the JSON conversion.
 */
export async function sendReport(
  { http, clock, attemptToken }: ReportedAttempt,
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

/** Returns undefined for a refusal, also for the page of a proxy that refuses the size of a report. */
function delayOf(error: unknown, attempt: number): number | undefined {
  if (!isThroughlineError(error) || isRefusal(error)) return undefined;
  return delayWithinAttempt(error, attempt);
}

/** Limits the delay, so that a report is sent again before the deadline even if `Retry-After` is longer. */
function longestDelayMs(leftMs: number): number {
  const latest = leftMs > minReportMs ? leftMs - minReportMs : Math.max(0, leftMs);
  return Math.min(longestReportMs, latest);
}

/** Limits the timeout, so that an unanswered report is sent again before the deadline. */
function reportTimeoutMs(leftMs: number): number {
  return Math.min(longestReportMs, Math.max(minReportMs, leftMs / 3));
}

/** Returns whether the server may accept another report of the same attempt. */
export function isRefusal(error: unknown): boolean {
  return isThroughlineError(error) ? refusals.has(error.status) : true;
}
