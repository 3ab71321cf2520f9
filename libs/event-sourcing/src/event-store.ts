/**
 * The required version of the stream. A number n >= 1 is the exact version: the stream has n events. `any` and
 * `stream-exists` are for administrative writers; no command uses them.
 */
export type ExpectedVersion = number | 'no-stream' | 'any' | 'stream-exists';

/** The place of an event in the log. Opaque: it is stored and compared as a whole, and never used in computations. */
export type Position = string & { readonly brand: unique symbol };

/** A call can be ended by its signal (throws `signal.reason`) or by a timeout, which starts with the call. */
export type CallOptions = Readonly<{ signal?: AbortSignal; timeoutMs?: number }>;

/** A number that is stored with the log and only increases. A counter without a value is 0. */
export type CounterValue = Readonly<{ name: string; value: number }>;

/** `counter`: see {@link EventStore.checksCounters}. */
export type AppendOptions = CallOptions & Readonly<{ counter?: CounterValue | undefined }>;

/** `data` and `metadata` are JSON text, which is stored and returned byte for byte. `eventId` is a UUID. */
export type EventToAppend = Readonly<{
  eventId: string;
  type: string;
  data: string;
  metadata: string;
}>;

/** `version` counts the events of the stream from 1, without gaps. */
export type StoredEvent = EventToAppend &
  Readonly<{ stream: string; version: number; position: Position }>;

/**
 * Version and position of the last event of the append. `isRepeat`: an earlier call, from this or another process, had
 * stored it already; undefined if the store does not know.
 */
export type AppendResult = Readonly<{ version: number; position: Position; isRepeat?: boolean }>;

/** `from` is the first version to read; without it, a read backwards starts at the newest event. */
export type ReadStream = Readonly<{
  from?: number;
  direction?: 'forwards' | 'backwards';
  limit: number;
}>;

/** Reads the events after the position `after`, without the event at it. */
export type ReadAll = Readonly<{ after: Position | 'start'; limit: number }>;

/**
 * Batches of 1 to `batchSize` events, first the history, then new events, with each stream in order. It survives times
 * in which the store does not respond, and ends only by `signal`, without an error.
 */
export type SubscribeAll = Readonly<{
  after: Position | 'start';
  batchSize: number;
  signal: AbortSignal;
}>;

/** The maximum size of an append in bytes: the sum of {@link encodedSize} over its events. */
export const maxAppendBytes = 1_048_576;

/**
 * A read of the log ends with the event that reaches this size in bytes: the sum of {@link encodedSize} over its
 * events.
 */
export const maxReadBytes = 8 * 1_048_576;

/**
 * An append-only log of streams.
 *
 * `append` stores all events contiguously or none, and resolves only when they are durable and readable. Repeating an
 * append with the same exact expected version (or `no-stream`) and the same event ids returns the first result, even if
 * other events were appended since; so a caller that got no result can repeat it. With `any` and `stream-exists`, a
 * repetition may be stored again. Event ids need not be unique within a stream.
 *
 * The store may still execute a call that was ended by its signal; only the result is lost.
 *
 * Throws {@link InvalidAppendError}, {@link VersionConflictError}, {@link CounterChangedError}, {@link
 * AppendTooLargeError}, {@link OutcomeUnknownError} (append only), {@link StoreUnavailableError}, {@link
 * StorageFullError}.
 */
export interface EventStore {
  /**
   * Whether an append can depend on a counter: if the counter has another value, the append stores nothing and throws
   * {@link CounterChangedError}. Other stores refuse such an append as invalid.
   */
  readonly checksCounters?: boolean;

  append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedVersion,
    options?: AppendOptions,
  ): Promise<AppendResult>;

  /** Returns no events if the stream does not exist. */
  readStream(stream: string, read: ReadStream, options?: CallOptions): Promise<StoredEvent[]>;

  /**
   * Never skips a committed event, in any order of commits, and preserves the order of each stream. Returns fewer than
   * `limit` events only if they reach {@link maxReadBytes} or the log ends, and none only if there are no events after
   * `after`.
   */
  readAll(read: ReadAll, options?: CallOptions): Promise<StoredEvent[]>;

  subscribeAll(subscription: SubscribeAll): AsyncIterable<readonly StoredEvent[]>;

  /** The position of the newest event, or `start` in an empty store. */
  head(options?: CallOptions): Promise<Position | 'start'>;

  /** Negative, zero or positive, as a comparator for `Array.prototype.sort`. */
  comparePositions(left: Position | 'start', right: Position | 'start'): number;

  /**
   * The number of events after `after`, up to and including `to`; `undefined` if the store cannot compute it from
   * positions.
   */
  countBetween(after: Position | 'start', to: Position | 'start'): number | undefined;

  /** Identifies the log to which positions belong; a checkpoint of another log must not be used. */
  identity(options?: CallOptions): Promise<string>;
}

/** The size of an event for {@link maxAppendBytes}, as KurrentDB computes it: data + metadata + 2 x type. */
export function encodedSize({ data, metadata, type }: EventToAppend): number {
  return utf8Length(data) + utf8Length(metadata) + 2 * type.length;
}

export abstract class EventStoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * Another writer was first; nothing was stored. `actual`: the version that can now be read, 0 if there is no stream.
 */
export class VersionConflictError extends EventStoreError {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedVersion,
    readonly actual: number,
  ) {
    super(`stream "${stream}" is at version ${actual}, the append expected ${expected}`);
  }
}

/** The counter on which the append depends has another value; nothing was stored. */
export class CounterChangedError extends EventStoreError {
  constructor({ name, value }: CounterValue) {
    super(`the counter "${name}" is no longer ${value}`);
  }
}

/** The append violates a rule of the port, regardless of the stream; see `checkAppend`. */
export class InvalidAppendError extends EventStoreError {}

export class AppendTooLargeError extends EventStoreError {
  constructor(
    readonly bytes: number,
    readonly limit: number = maxAppendBytes,
  ) {
    super(`the append has at least ${bytes} bytes, and the limit is ${limit}: write less at once`);
  }
}

/** It is unknown whether the append was stored; repeat it with the same ids and expected version. */
export class OutcomeUnknownError extends EventStoreError {}

/** The store did not respond; this call stored nothing. */
export class StoreUnavailableError extends EventStoreError {}

export class StorageFullError extends EventStoreError {}

/** The length of a text in bytes of UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}
