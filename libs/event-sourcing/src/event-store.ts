/**
 * What a writer requires of the stream. A number n >= 1 is the exact version: the stream holds n events.
 * `any` and `stream-exists` exist for administrative writers; no command uses them.
 */
export type ExpectedVersion = number | 'no-stream' | 'any' | 'stream-exists';

/** Where an event stands in the whole log. Opaque: kept and compared whole, never computed with. */
export type Position = string & { readonly brand: unique symbol };

/** A call ends by its signal (throws `signal.reason`) or by its deadline, counted from now. */
export type CallOptions = Readonly<{ signal?: AbortSignal; timeoutMs?: number }>;

/** A number stored beside the log. It only grows. A counter without a value is 0. */
export type CounterValue = Readonly<{ name: string; value: number }>;

/** `counter`: see {@link EventStore.checksCounters}. */
export type AppendOptions = CallOptions & Readonly<{ counter?: CounterValue | undefined }>;

/** `data` and `metadata` are JSON text, stored and given back byte for byte. `eventId` is a UUID. */
export type EventToAppend = Readonly<{
  eventId: string;
  type: string;
  data: string;
  metadata: string;
}>;

/** `version` counts from 1 within the stream, without gaps. */
export type StoredEvent = EventToAppend &
  Readonly<{ stream: string; version: number; position: Position }>;

/**
 * Version and position of the last event of the append. `isRepeat`: whether an earlier call had stored it already, from
 * this process or another; undefined if the store does not know.
 */
export type AppendResult = Readonly<{ version: number; position: Position; isRepeat?: boolean }>;

/** `from` is a version and inclusive; backwards without it starts at the newest. */
export type ReadStream = Readonly<{
  from?: number;
  direction?: 'forwards' | 'backwards';
  limit: number;
}>;

/** Exclusive: the first event read is the one behind `after`. */
export type ReadAll = Readonly<{ after: Position | 'start'; limit: number }>;

/**
 * Batches of 1 to `batchSize` events, history first, then live, each stream in order. It outlives a store that
 * does not answer and ends by `signal` only, without an error.
 */
export type SubscribeAll = Readonly<{
  after: Position | 'start';
  batchSize: number;
  signal: AbortSignal;
}>;

/** The most one append may hold: the sum of {@link encodedSize} over its events, in bytes. */
export const maxAppendBytes = 1_048_576;

/** A read of the log ends with the event that reaches this: the sum of {@link encodedSize} over its events, in bytes. */
export const maxReadBytes = 8 * 1_048_576;

/**
 * An append-only log of streams.
 *
 * `append` stores all events contiguously or none, and resolves only once they are durable and readable.
 * Repeating an append with the same exact expected version (or `no-stream`) and the same event ids answers as
 * the first did, whatever was appended since; so a caller left without an answer repeats it. With `any` and
 * `stream-exists` a repetition may be stored again. Event ids need not be unique within a stream.
 *
 * A call that its signal ends may still be carried out by the store; only its answer is given up.
 *
 * Throws {@link InvalidAppendError}, {@link VersionConflictError}, {@link CounterChangedError}, {@link AppendTooLargeError}, {@link OutcomeUnknownError} (append only),
 * {@link StoreUnavailableError}, {@link StorageFullError}.
 */
export interface EventStore {
  /**
   * Whether an append can depend on a counter: it then stores nothing now, and throws {@link CounterChangedError}, if the
   * counter has another value. Any other store refuses such an append as invalid.
   */
  readonly checksCounters?: boolean;

  append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedVersion,
    options?: AppendOptions,
  ): Promise<AppendResult>;

  /** An absent stream reads as empty. */
  readStream(stream: string, read: ReadStream, options?: CallOptions): Promise<StoredEvent[]>;

  /**
   * Never skips a committed event, whatever order transactions commit in; keeps each stream's order. Fewer than `limit`
   * only if they come to {@link maxReadBytes} or nothing more is there; none only if nothing is behind `after`.
   */
  readAll(read: ReadAll, options?: CallOptions): Promise<StoredEvent[]>;

  subscribeAll(subscription: SubscribeAll): AsyncIterable<readonly StoredEvent[]>;

  /** The position of the newest event, or `start` in an empty store. */
  head(options?: CallOptions): Promise<Position | 'start'>;

  /** Negative, zero or positive, as `Array.prototype.sort` wants it. */
  comparePositions(left: Position | 'start', right: Position | 'start'): number;

  /** How many events lie behind `after` up to and including `to`; `undefined` where positions do not count events. */
  countBetween(after: Position | 'start', to: Position | 'start'): number | undefined;

  /** Names the log these positions belong to; a checkpoint of another log must not be used. */
  identity(options?: CallOptions): Promise<string>;
}

/** Bytes an event counts with towards {@link maxAppendBytes}: data + metadata + 2 x type, as KurrentDB counts. */
export function encodedSize({ data, metadata, type }: EventToAppend): number {
  return utf8Length(data) + utf8Length(metadata) + 2 * type.length;
}

export abstract class EventStoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Somebody else wrote first. `actual` is 0 if there is no stream; else that version can be read. Nothing was stored. */
export class VersionConflictError extends EventStoreError {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedVersion,
    readonly actual: number,
  ) {
    super(`stream "${stream}" is at version ${actual}, the append expected ${expected}`);
  }
}

/** The counter that the append depended on has another value by now. Nothing was stored. */
export class CounterChangedError extends EventStoreError {
  constructor({ name, value }: CounterValue) {
    super(`the counter "${name}" is no longer ${value}`);
  }
}

/** The append breaks a rule of the port whatever the stream holds, see `checkAppend`. */
export class InvalidAppendError extends EventStoreError {}

export class AppendTooLargeError extends EventStoreError {
  constructor(
    readonly bytes: number,
    readonly limit: number = maxAppendBytes,
  ) {
    super(`the append comes to ${bytes} bytes or more, the limit is ${limit}: write less at once`);
  }
}

/** The append may or may not have been stored; repeat it with the same ids and expected version. */
export class OutcomeUnknownError extends EventStoreError {}

/** The store did not answer; nothing was stored by this call. */
export class StoreUnavailableError extends EventStoreError {}

export class StorageFullError extends EventStoreError {}

/** Bytes of a text in UTF-8; a lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}
