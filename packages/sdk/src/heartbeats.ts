import { type Api } from './api.js';
import { type AttemptClock } from './attempt-clock.js';
import { heartbeatDelayMs, heartbeatTimeoutMs, longestTimeoutMs } from './attempt-timing.js';
import { isThroughlineError, type ThroughlineError } from './errors.js';
import { type HttpClient } from './http-client.js';
import { pause } from './pause.js';
import { delayWithinAttempt } from './worker-delay.js';
import { WorkFailure } from './work-failure.js';

type Heartbeats = Readonly<{
  http: HttpClient;
  clock: AttemptClock;
  attemptToken: string;
  /** Ends the heartbeats. */
  signal: AbortSignal;
}>;

/** The longest delay after an unanswered heartbeat. */
const longestRetryMs = 500;
/** The timeout until the duration of the lease is known. */
const firstTimeoutMs = 1_000;

/**
 * Renews the lease of an attempt until the signal aborts, also after outages of the server. Calls `onEnd` when the work is no
 * longer needed; after a cancellation it renews the lease until the handler has ended.
 */
export async function sendHeartbeats(
  heartbeats: Heartbeats,
  onEnd: (reason: WorkFailure | ThroughlineError) => void,
): Promise<void> {
  const { clock, signal } = heartbeats;
  let defaultMs = longestRetryMs;
  let timeoutMs = firstTimeoutMs;
  while (!signal.aborted) {
    let delayMs = Math.min(defaultMs, longestRetryMs);
    try {
      const { leaseUntil, cancelRequested } = await sendHeartbeat(heartbeats, timeoutMs);
      if (cancelRequested) onEnd(cancelled());
      const leftMs = clock.leftUntil(leaseUntil);
      defaultMs = heartbeatDelayMs(leftMs);
      timeoutMs = heartbeatTimeoutMs(leftMs);
      delayMs = defaultMs;
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) return onEnd(error);
      // A longer delay would let the lease end.
      delayMs = Math.max(delayMs, Math.min(retryAfterOf(error), timeoutMs));
      // The server may be slow.
      timeoutMs = Math.min(longestTimeoutMs, timeoutMs * 2);
    }
    await pause(delayMs, signal);
  }
}

async function sendHeartbeat(
  { http, attemptToken, signal }: Heartbeats,
  timeoutMs: number,
): Promise<Api.HeartbeatResponse> {
  const { body } = await http.request<Api.HeartbeatResponse>('POST', '/v1/work/heartbeat', {
    body: { attemptToken },
    signal,
    maxRetries: 0,
    timeoutMs,
  });
  return body;
}

function isFinal(error: unknown): error is ThroughlineError {
  return isThroughlineError(error) && delayWithinAttempt(error, 0) === undefined;
}

function retryAfterOf(error: unknown): number {
  return isThroughlineError(error) ? (error.retryAfterMs ?? 0) : 0;
}

function cancelled(): WorkFailure {
  return new WorkFailure('the run is being cancelled', { code: 'cancelled', retryable: false });
}
