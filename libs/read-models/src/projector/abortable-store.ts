import { type CallOptions, type EventStore } from '#event-sourcing';

/**
 * Wraps the store of a process that can be shut down: when `ended` aborts, pending calls fail at once with the signal's
 * reason. Otherwise a store that does not answer would delay the shutdown until each call times out.
 */
export function abortableStore(ended: AbortSignal, store: EventStore): EventStore {
  const either = (signal: AbortSignal | undefined) =>
    signal ? AbortSignal.any([signal, ended]) : ended;
  const within = (options?: CallOptions) => ({ ...options, signal: either(options?.signal) });
  return {
    append: (stream, events, expected, options) =>
      store.append(stream, events, expected, within(options)),
    readStream: (stream, read, options) => store.readStream(stream, read, within(options)),
    readAll: (read, options) => store.readAll(read, within(options)),
    subscribeAll: (subscription) =>
      store.subscribeAll({ ...subscription, signal: either(subscription.signal) }),
    head: (options) => store.head(within(options)),
    comparePositions: (left, right) => store.comparePositions(left, right),
    countBetween: (after, to) => store.countBetween(after, to),
    identity: (options) => store.identity(within(options)),
  };
}
