import { type Pool } from 'pg';

import {
  type AppendOptions,
  type AppendResult,
  type CallOptions,
  type EventStore,
  type EventToAppend,
  type ExpectedVersion,
  type Position,
  type ReadAll,
  type ReadStream,
  type StoredEvent,
  type SubscribeAll,
  checkAppend,
  checkLimit,
} from '#event-sourcing';
import { within } from '#event-store-adapter';

import { sendBatch } from './append-batch.js';
import { AppendQueue } from './append-queue.js';
import { FeedReader } from './feed-reader.js';
import { followLog } from './follow-log.js';
import { LogListener } from './log-listener.js';
import { LogReader } from './log-reader.js';
import { LogSignal } from './log-signal.js';
import { PendingAppend } from './pending-append.js';
import { countOf } from './position.js';

type PostgresEventStoreOptions = Readonly<{
  /** Connects to a migrated database with at least four connections: two append, one listens, one reads. */
  pool: Pool;
  /** How long a statement may have no answer before its connection is closed. */
  answerLimitMs?: number;
  /** The polling interval of subscribers. */
  pollMs?: number;
}>;

/** The event store port on PostgreSQL: one statement per batch of appends, dense positions in commit order. */
export class PostgresEventStore implements EventStore {
  readonly checksCounters = true;
  readonly #closing = new AbortController();
  readonly #signal = new LogSignal();
  readonly #queue: AppendQueue;
  readonly #reader: LogReader;
  readonly #listener: LogListener;
  readonly #feed: FeedReader;
  readonly #pollMs: number;

  constructor({ pool, answerLimitMs = 5_000, pollMs = 500 }: PostgresEventStoreOptions) {
    const target = { pool, answerLimitMs, closing: this.#closing.signal };
    this.#queue = new AppendQueue((batch) => sendBatch(target, batch));
    this.#reader = new LogReader(pool, answerLimitMs);
    this.#feed = new FeedReader((next) => this.#reader.readAll(next), this.#signal);
    this.#listener = new LogListener(pool, this.#signal, answerLimitMs);
    this.#pollMs = pollMs;
  }

  async append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedVersion,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    const bytes = checkAppend(stream, events, expected);
    const append = new PendingAppend(stream, events, expected, {
      bytes,
      counter: options?.counter,
    });
    try {
      const result = await within(
        options,
        () => append.giveUp(),
        () => {
          this.#queue.add(append);
          return append.answer;
        },
      );
      this.#signal.announce(countOf(result.position));
      return result;
    } finally {
      append.abandon();
    }
  }

  readStream(stream: string, read: ReadStream, options?: CallOptions): Promise<StoredEvent[]> {
    return this.#reader.readStream(stream, read, options);
  }

  readAll(read: ReadAll, options?: CallOptions): Promise<StoredEvent[]> {
    return this.#reader.readAll(read, options);
  }

  subscribeAll(subscription: SubscribeAll): AsyncIterable<readonly StoredEvent[]> {
    checkLimit(subscription.batchSize);
    this.#listener.start();
    const signal = AbortSignal.any([subscription.signal, this.#closing.signal]);
    return followLog(this.#feed, this.#signal, { ...subscription, signal, pollMs: this.#pollMs });
  }

  head(options?: CallOptions): Promise<Position | 'start'> {
    return this.#reader.head(options);
  }

  comparePositions(left: Position | 'start', right: Position | 'start'): number {
    const [a, b] = [countOf(left), countOf(right)];
    return a < b ? -1 : Number(a > b);
  }

  countBetween(after: Position | 'start', to: Position | 'start'): number {
    return Math.max(Number(countOf(to) - countOf(after)), 0);
  }

  identity(options?: CallOptions): Promise<string> {
    return this.#reader.identity(options);
  }

  /**
   * Ends subscriptions, waits for appends in flight and releases the connections; the owner of the pool must end it.
   */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#queue.drained(), this.#listener.close()]);
  }
}
