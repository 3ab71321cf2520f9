import { type Api } from './api.js';
import { type AttemptClock } from './attempt-clock.js';
import { heartbeatDelayMs, heartbeatTimeoutMs, longestTimeoutMs } from './attempt-timing.js';
import { isThroughlineError, type ThroughlineError } from './errors.js';
import { type HttpClient } from './http-client.js';
import { pause } from './pause.js';
import { delayWithinAttempt } from './may-pass.js';
import { WorkFailure } from './work-failure.js';

type Heartbeats = Readonly<{
  http: HttpClient;
  clock: AttemptClock;
  attemptToken: string;
  /** Ends them. */
  signal: AbortSignal;
}>;

/** If a heartbeat was not answered, and leases are not shorter. */
const longestRetryMs = 500;
/** Until the server has said how long the lease is. */
const firstTimeoutMs = 1_000;

/**
 * Renews the lease of an attempt until the signal aborts, through outages of the server. Calls `onEnd` when nobody needs the work any
 * more; after a cancellation the lease is renewed for as long as the handler takes to end.
 */
export async function sendHeartbeats(
  heartbeats: Heartbeats,
  onEnd: (reason: WorkFailure | ThroughlineError) => void,
): Promise<void> {
  const { clock, signal } = heartbeats;
  let usualMs = longestRetryMs;
  let timeoutMs = firstTimeoutMs;
  while (!signal.aborted) {
    let delayMs = Math.min(usualMs, longestRetryMs);
    try {
      const { leaseUntil, cancelRequested } = await sendHeartbeat(heartbeats, timeoutMs);
      if (cancelRequested) onEnd(cancelled());
      const leftMs = clock.leftUntil(leaseUntil);
      usualMs = heartbeatDelayMs(leftMs);
      timeoutMs = heartbeatTimeoutMs(leftMs);
      delayMs = usualMs;
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) return onEnd(error);
      // The lease would end while the server is left alone for longer.
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
