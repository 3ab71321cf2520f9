import { startTimer } from './start-timer.js';

/** Resolves after `ms`, or when the signal aborts; never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      stop();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const stop = startTimer(end, ms);
    signal?.addEventListener('abort', end);
  });
}
