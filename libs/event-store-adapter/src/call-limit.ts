import { type CallOptions } from '#event-sourcing';

/** What a call without a deadline gets: long enough to sit out a restart of the server. */
const defaultTimeoutMs = 10_000;

/**
 * The answer of `work`, unless the caller's signal (its reason is thrown) or deadline (`late()` is thrown) comes
 * first; then the signal given to `work` tells it that nobody waits any more.
 */
export async function within<T>(
  options: CallOptions | undefined,
  late: () => Error,
  work: (over: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs = defaultTimeoutMs } = options ?? {};
  signal?.throwIfAborted();
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let cancel: (() => void) | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeoutMs);
    cancel = () => reject(signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });
  });
  try {
    return await Promise.race([work(over.signal), limit]);
  } finally {
    clearTimeout(timer);
    if (cancel) signal?.removeEventListener('abort', cancel);
    // With a reason: without one it makes an exception with a stack trace, for every call.
    over.abort('over');
  }
}
