import { type CallOptions } from '#event-sourcing';

/** The timeout of a call without a deadline: long enough for a restart of the server. */
const defaultTimeoutMs = 10_000;

/**
 * Resolves with the result of `work`. Throws the reason of the caller's signal if that aborts first, and `late()` after
 * the caller's deadline. The signal passed to `work` aborts when the caller no longer waits.
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
    // Without a reason, abort() would create an exception with a stack trace on every call.
    over.abort('over');
  }
}
