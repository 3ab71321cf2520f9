import { setTimeout as delay } from 'node:timers/promises';

import { isRunning } from './process-identity.js';

const pollMs = 20;

type StopLimits = {
  /** Ends sessions and writes a checkpoint. */
  readonly fastMs: number;
  /** Writes no checkpoint: the next start recovers from the log. */
  readonly immediateMs: number;
};

const standardLimits: StopLimits = { fastMs: 30_000, immediateMs: 5_000 };

/**
 * Stops a server whose process id was verified: fast, then immediately, then by force. Resolves when it has ended.
 * Windows has no signals and ends it at once; the next start recovers from the log.
 */
export async function stopPostmaster(pid: number, limits = standardLimits): Promise<void> {
  if (await signalAndWait(pid, 'SIGINT', limits.fastMs)) return;
  if (await signalAndWait(pid, 'SIGQUIT', limits.immediateMs)) return;
  await signalAndWait(pid, 'SIGKILL', limits.immediateMs);
}

async function signalAndWait(
  pid: number,
  signal: NodeJS.Signals,
  limitMs: number,
): Promise<boolean> {
  const limit = performance.now() + limitMs;
  send(pid, signal);
  while (await isRunning(pid)) {
    if (performance.now() > limit) return false;
    await delay(pollMs);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended or belongs to another user: waiting finds out.
  }
}
