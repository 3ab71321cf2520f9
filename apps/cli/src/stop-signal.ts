/** Aborts on Ctrl-C and on SIGTERM. */
type StopSignal = Readonly<{ signal: AbortSignal; release: () => void }>;

/** For commands that run until they are stopped: they end by themselves instead of being killed by the signal. */
export function listenForStop(): StopSignal {
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  return {
    signal: stop.signal,
    release: () => void process.removeListener('SIGINT', abort).removeListener('SIGTERM', abort),
  };
}
