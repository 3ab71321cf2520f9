/**
 * Resolves when the event happens or the signal is aborted, and then removes the listener. `listen` gets the callback,
 * and returns the function that removes it.
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
