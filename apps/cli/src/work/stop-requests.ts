const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm forwards the Ctrl-C that the terminal has already sent: a signal within this time is the same request. */
const sameRequestMs = 1_000;

type StopRequests = Readonly<{
  /** Aborts at the first stop request. */
  stopping: AbortSignal;
  /** Aborts `graceMs` later, or at the second request. */
  killing: AbortSignal;
  /** Call it when the worker has stopped. */
  release: () => void;
}>;

/** Listens for signals that ask the worker to stop. `graceMs`: the time that its programs have to end. */
export function listenForStopRequests(graceMs: number): StopRequests {
  const [stopping, killing] = [new AbortController(), new AbortController()];
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const listen = () => {
    if (since !== undefined && performance.now() - since > sameRequestMs) killing.abort();
    since ??= performance.now();
    timer ??= setTimeout(() => killing.abort(), graceMs);
    stopping.abort();
  };
  for (const signal of stopSignals) process.on(signal, listen);
  // The listeners remain: a signal during the graceful end of the process must not kill it.
  const release = () => clearTimeout(timer);
  return { stopping: stopping.signal, killing: killing.signal, release };
}
