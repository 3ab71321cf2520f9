import { z } from 'zod';

import { type ApiClient, parseAnswer } from '../api-client.js';
import { exitCodes } from '../exit-code.js';
import { ProblemError } from '../problem.js';
import { pause } from '../replay/follow.js';
import { type AttemptClock } from './attempt-clock.js';
import { heartbeatDelayMs } from './attempt-timing.js';
import { type Ending } from './ending.js';

const lease = z.looseObject({ leaseUntil: z.iso.datetime(), cancelRequested: z.boolean() });

/** If a heartbeat was not answered, and leases are not shorter. */
const longestRetryMs = 500;

type Heartbeats = Readonly<{
  api: ApiClient;
  clock: AttemptClock;
  token: string;
  /** Ends them. */
  signal: AbortSignal;
}>;

/**
 * Renews the lease of an attempt until the signal aborts, through outages of the server. Calls `onEnd` when the work is not
 * needed any more; after a cancellation the lease is renewed for as long as the program takes to end.
 */
export async function sendHeartbeats(
  { api, clock, token, signal }: Heartbeats,
  onEnd: (ending: Ending) => void,
): Promise<void> {
  const request = { method: 'POST', path: 'work/heartbeat' } as const;
  const body = JSON.stringify({ attemptToken: token });
  let usualMs = longestRetryMs;
  while (!signal.aborted) {
    let delayMs = Math.min(usualMs, longestRetryMs);
    try {
      const answer = await api.send({ ...request, body, signal });
      const { leaseUntil, cancelRequested } = parseAnswer(lease, answer);
      if (cancelRequested) onEnd({ cause: 'cancelled' });
      usualMs = heartbeatDelayMs(clock.leftUntil(leaseUntil));
      delayMs = usualMs;
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) {
        onEnd({ cause: 'refused', reason: error.message });
        return;
      }
    }
    await pause(delayMs, signal);
  }
}

function isFinal(error: unknown): error is ProblemError {
  return (
    error instanceof ProblemError && error.status < 500 && error.exitCode !== exitCodes.unavailable
  );
}
