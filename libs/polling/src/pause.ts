import { setTimeout as wait } from 'node:timers/promises';

/** Resolves after this time, or as soon as the signal aborts. If `ref` is false, the process may exit earlier. */
export async function pause(ms: number, signal: AbortSignal, ref = true): Promise<void> {
  await wait(ms, undefined, { signal, ref }).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  });
}
