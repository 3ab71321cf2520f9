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
  refuseCounter,
} from '#event-sourcing';

import { Appender } from './appender.js';
import { Connection } from './connection.js';
import { followLog } from './follow-log.js';
import { LogReader } from './log-reader.js';
import { Namespace } from './namespace.js';
import { PendingAppend } from './pending-append.js';
import { comparePositions, toClientPosition } from './position.js';
import { refuseOldServer } from './server-version.js';
import { StoreIdentity } from './store-identity.js';

type KurrentEventStoreOptions = Readonly<{
  /** `esdb://` or `esdb+discover://`, with hosts, credentials and TLS options of KurrentDB clients. */
  connectionString: string;
  /** Separates the streams of this store from others on the server. */
  namespace?: string;
  /** How long a call may receive no data before it is retried. */
  answerLimitMs?: number;
  /** How long a subscription may be quiet before it is checked. */
  quietMs?: number;
}>;

/**
 * The event store port on KurrentDB and EventStoreDB 24.2 or newer. Every call requires the leader. During an election,
 * a leader that is cut off or was just elected may return data older than the last answer; an append decided on that
 * data conflicts. Throws RangeError if the namespace is invalid, and the client's error for an unreadable connection
 * string.
 */
export class KurrentEventStore implements EventStore {
  readonly #closing = new AbortController();
  readonly #connection: Connection;
  readonly #names: Namespace;
  readonly #reader: LogReader;
  readonly #appender: Appender;
  readonly #identity: StoreIdentity;
  readonly #quietMs: number;
  #isSupported = false;

  constructor({
    connectionString,
    namespace = 'throughline',
    answerLimitMs = 5_000,
    quietMs = 10_000,
  }: KurrentEventStoreOptions) {
    this.#names = new Namespace(namespace);
    this.#connection = new Connection(connectionString);
    this.#reader = new LogReader(this.#connection, this.#names, answerLimitMs);
    this.#appender = new Appender(this.#connection, answerLimitMs, (target, version, over) =>
      this.#reader.untilReadable(target, version, over),
    );
    this.#identity = new StoreIdentity(this.#names.identityStream, this.#reader, this.#appender);
    this.#quietMs = quietMs;
  }

  async append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedVersion,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    checkAppend(stream, events, expected);
    refuseCounter(options);
    const append = new PendingAppend(stream, events, expected);
    return this.#appender.append(this.#names.toServer(stream), append, options);
  }

  readStream(stream: string, read: ReadStream, options?: CallOptions): Promise<StoredEvent[]> {
    return this.#reader.readStream(stream, read, options);
  }

  readAll(read: ReadAll, options?: CallOptions): Promise<StoredEvent[]> {
    return this.#reader.readAll(read, options);
  }

  subscribeAll(subscription: SubscribeAll): AsyncIterable<readonly StoredEvent[]> {
    checkLimit(subscription.batchSize);
    const source = {
      connection: this.#connection,
      names: this.#names,
      quietMs: this.#quietMs,
      head: (options: CallOptions) => this.#reader.head(options),
    };
    const signal = AbortSignal.any([subscription.signal, this.#closing.signal]);
    return followLog(source, { ...subscription, signal });
  }

  head(options?: CallOptions): Promise<Position | 'start'> {
    return this.#reader.head(options);
  }

  comparePositions(left: Position | 'start', right: Position | 'start'): number {
    return comparePositions(left, right);
  }

  /** Positions are offsets in the server's files, which also contain foreign events. */
  countBetween(after: Position | 'start', to: Position | 'start'): undefined {
    for (const position of [after, to]) toClientPosition(position);
    return undefined;
  }

  /** Also throws {@link UnsupportedServerError}: users of a store query its identity first. */
  async identity(options?: CallOptions): Promise<string> {
    this.#isSupported ||= await this.#checkServer(options);
    return this.#identity.find(options);
  }

  /** Ends subscriptions, waits for appends in flight and closes the connection. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#appender.drained();
    await this.#connection.close();
  }

  async #checkServer(options: CallOptions | undefined): Promise<true> {
    refuseOldServer(await this.#reader.serverVersion(options));
    return true;
  }
}
