import { type Api } from './api.js';
import { type AttemptClock } from './attempt-clock.js';
import { heartbeatDelayMs } from './attempt-timing.js';
import { isThroughlineError, type ThroughlineError } from './errors.js';
import { type HttpClient } from './http-client.js';
import { pause } from './pause.js';
import { mayPass } from './may-pass.js';
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
const longestHeartbeatMs = 10_000;

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
  while (!signal.aborted) {
    let delayMs = Math.min(usualMs, longestRetryMs);
    try {
      const { leaseUntil, cancelRequested } = await sendHeartbeat(heartbeats);
      if (cancelRequested) onEnd(cancelled());
      usualMs = heartbeatDelayMs(clock.leftUntil(leaseUntil));
      delayMs = usualMs;
    } catch (error) {
      if (signal.aborted) return;
      if (isThroughlineError(error) && !mayPass(error)) return onEnd(error);
    }
    await pause(delayMs, signal);
  }
}

async function sendHeartbeat({
  http,
  attemptToken,
  signal,
}: Heartbeats): Promise<Api.HeartbeatResponse> {
  const { body } = await http.request<Api.HeartbeatResponse>('POST', '/v1/work/heartbeat', {
    body: { attemptToken },
    signal,
    maxRetries: 0,
    timeoutMs: longestHeartbeatMs,
  });
  return body;
}

function cancelled(): WorkFailure {
  return new WorkFailure('the run is being cancelled', { code: 'cancelled', retryable: false });
}
