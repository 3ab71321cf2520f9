/** Aborted by Ctrl-C, and by whoever asks the process to end. */
type StopSignal = Readonly<{ signal: AbortSignal; release: () => void }>;

/** For commands that go on until somebody has seen enough: they end by themselves, with exit code 0. */
export function listenForStop(): StopSignal {
  const stop = new AbortController();
  const abort = () => stop.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  return {
    signal: stop.signal,
    release: () => void process.removeListener('SIGINT', abort).removeListener('SIGTERM', abort),
  };
}
