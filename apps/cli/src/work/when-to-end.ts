import { pause } from '../replay/follow.js';
import { leadOf } from './attempt-timing.js';
import { type ClaimedWork } from './claimed-work.js';
import { type Ending } from './ending.js';
import { sendHeartbeats } from './heartbeats.js';
import { type RunningProgram } from './run-program.js';
import { type WorkTools } from './work-tools.js';

/** Longer than Node can wait at once. */
const mostWaitingMs = 2 ** 31 - 1;

/**
 * Sends heartbeats until the attempt is over, and resolves with the first reason to end its program before that. Never resolves
 * if there is none.
 */
export function whenToEnd(
  { token, clock }: ClaimedWork,
  program: RunningProgram,
  { api, killing, over }: WorkTools & Readonly<{ over: AbortSignal }>,
): Promise<Ending> {
  return new Promise((resolve) => {
    const leftMs = clock.left();
    const { leadMs, graceMs } = leadOf(leftMs);
    void pause(Math.min(mostWaitingMs, Math.max(0, leftMs - leadMs)), over).then((elapsed) => {
      if (elapsed) resolve({ cause: 'timeout', graceMs });
    });
    void program.overflowed.then(() => resolve({ cause: 'output-too-large' }));
    const stop = () => resolve({ cause: 'stopped' });
    killing.addEventListener('abort', stop, { once: true, signal: over });
    if (killing.aborted) stop();
    void sendHeartbeats({ api, clock, token, signal: over }, resolve);
  });
}
