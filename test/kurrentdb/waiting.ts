/**
 * Resolves when what is listened for happens, or when the signal is aborted, and then listens no more. `listen` gets
 * what to call, and gives what ends the listening.
 */
export function waitUnless(
  signal: AbortSignal,
  listen: (happened: () => void) => () => void,
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      stop();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const stop = listen(finish);
    signal.addEventListener('abort', finish);
  });
}
