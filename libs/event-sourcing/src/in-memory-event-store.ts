import { checkAppend, checkLimit } from './append-check.js';
import {
  type AppendOptions,
  type AppendResult,
  type CallOptions,
  CounterChangedError,
  type EventStore,
  type EventToAppend,
  type ExpectedVersion,
  type Position,
  type ReadAll,
  type ReadStream,
  type StoredEvent,
  type SubscribeAll,
  VersionConflictError,
  encodedSize,
  maxReadBytes,
} from './event-store.js';

/**
 * The port in memory, for tests and samples. It passes the same contract suite as the durable adapters, but is not
 * durable. Timeouts never expire, as it responds at once.
 */
export class InMemoryEventStore implements EventStore {
  readonly checksCounters = true;
  /** The values of counters by name; tests set them. */
  readonly counters = new Map<string, number>();
  readonly #log: StoredEvent[] = [];
  readonly #streams = new Map<string, StoredEvent[]>();
  readonly #sleepers = new Set<() => void>();
  readonly #identity: string;

  constructor(identity = 'memory') {
    this.#identity = identity;
  }

  async append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedVersion,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    options?.signal?.throwIfAborted();
    checkAppend(stream, events, expected);
    const past = this.#streams.get(stream) ?? [];
    if (!matches(expected, past.length)) return repeatedResult(past, { stream, events, expected });
    this.#requireCounter(options);
    const stored = events.map(({ eventId, type, data, metadata }, index) => ({
      eventId,
      type,
      data,
      metadata,
      stream,
      version: past.length + index + 1,
      position: asPosition(this.#log.length + index + 1),
    }));
    this.#log.push(...stored);
    past.push(...stored);
    this.#streams.set(stream, past);
    for (const wake of this.#sleepers) wake();
    return resultOf(stored, false);
  }

  #requireCounter(options: AppendOptions | undefined): void {
    if (!options?.counter) return;
    const { name, value } = options.counter;
    if ((this.counters.get(name) ?? 0) !== value) throw new CounterChangedError(options.counter);
  }

  async readStream(
    stream: string,
    { from, direction = 'forwards', limit }: ReadStream,
    options?: CallOptions,
  ): Promise<StoredEvent[]> {
    options?.signal?.throwIfAborted();
    checkLimit(limit);
    const past = this.#streams.get(stream) ?? [];
    if (direction === 'forwards') {
      const start = Math.max(from ?? 1, 1) - 1;
      return past.slice(start, start + limit);
    }
    const end = Math.max(Math.min(from ?? past.length, past.length), 0);
    return past.slice(Math.max(end - limit, 0), end).reverse();
  }

  async readAll({ after, limit }: ReadAll, options?: CallOptions): Promise<StoredEvent[]> {
    options?.signal?.throwIfAborted();
    checkLimit(limit);
    const start = countOf(after);
    return upToBytes(this.#log.slice(start, start + limit), maxReadBytes);
  }

  async *subscribeAll({
    after,
    batchSize,
    signal,
  }: SubscribeAll): AsyncGenerator<readonly StoredEvent[]> {
    checkLimit(batchSize);
    let at = countOf(after);
    while (!signal.aborted) {
      const batch = this.#log.slice(at, at + batchSize);
      at += batch.length;
      if (batch.length > 0) yield batch;
      else await this.#nextAppend(signal);
    }
  }

  async head(options?: CallOptions): Promise<Position | 'start'> {
    options?.signal?.throwIfAborted();
    return this.#log.at(-1)?.position ?? 'start';
  }

  comparePositions(left: Position | 'start', right: Position | 'start'): number {
    return countOf(left) - countOf(right);
  }

  countBetween(after: Position | 'start', to: Position | 'start'): number {
    return Math.max(countOf(to) - countOf(after), 0);
  }

  async identity(options?: CallOptions): Promise<string> {
    options?.signal?.throwIfAborted();
    return this.#identity;
  }

  #nextAppend(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#sleepers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#sleepers.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}

type Append = Readonly<{
  stream: string;
  events: readonly EventToAppend[];
  expected: ExpectedVersion;
}>;

function matches(expected: ExpectedVersion, actual: number): boolean {
  if (expected === 'any') return true;
  if (expected === 'stream-exists') return actual > 0;
  return versionOf(expected) === actual;
}

/** Returns the first result if the same events follow the expected version; else throws the conflict. */
function repeatedResult(
  past: readonly StoredEvent[],
  { stream, events, expected }: Append,
): AppendResult {
  if (expected !== 'any' && expected !== 'stream-exists') {
    const start = versionOf(expected);
    const original = past.slice(start, start + events.length);
    if (events.every(({ eventId }, index) => original[index]?.eventId === eventId))
      return resultOf(original, true);
  }
  throw new VersionConflictError(stream, expected, past.length);
}

function versionOf(expected: number | 'no-stream'): number {
  return expected === 'no-stream' ? 0 : expected;
}

function resultOf(stored: readonly StoredEvent[], isRepeat: boolean): AppendResult {
  const last = stored.at(-1);
  if (!last) throw new RangeError('an append holds at least one event');
  return { version: last.version, position: last.position, isRepeat };
}

/** A position of this store is the number of events up to it. */
function asPosition(count: number): Position {
  // Only this adapter creates positions of its log, so it may set the brand.
  return String(count) as Position;
}

function countOf(position: Position | 'start'): number {
  if (position === 'start') return 0;
  if (!/^[1-9]\d{0,14}$/.test(position))
    throw new RangeError(`"${position}" is not a position of this store`);
  return Number(position);
}

/** The events up to the one that reaches the limit in bytes. */
function upToBytes(events: StoredEvent[], limit: number): StoredEvent[] {
  let bytes = 0;
  const last = events.findIndex((event) => (bytes += encodedSize(event)) >= limit);
  return last < 0 ? events : events.slice(0, last + 1);
}
