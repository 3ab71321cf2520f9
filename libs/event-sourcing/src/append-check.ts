import {
  type AppendOptions,
  type EventToAppend,
  type ExpectedVersion,
  AppendTooLargeError,
  InvalidAppendError,
  encodedSize,
  maxAppendBytes,
} from './event-store.js';

/** In UTF-16 units; four UTF-8 bytes each still fit a PostgreSQL index entry. */
const maxStreamNameLength = 512;
export const maxTypeLength = 256;

const nilUuid = '00000000-0000-0000-0000-000000000000';
const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * What every adapter refuses before it looks at the stream, so that no adapter keeps what another could not:
 * throws {@link InvalidAppendError} or {@link AppendTooLargeError}. Text must be valid Unicode without NUL, for it
 * is stored as UTF-8; JSON can say both of them as escapes. `$$` begins the server's own streams in KurrentDB.
 * Returns the bytes of the append, by {@link encodedSize}.
 */
export function checkAppend(
  stream: string,
  events: readonly EventToAppend[],
  expected: ExpectedVersion,
): number {
  checkStream(stream);
  checkExpected(expected);
  if (events.length === 0) throw new InvalidAppendError('an append holds at least one event');
  let bytes = 0;
  for (const event of events) {
    checkEvent(event);
    bytes += encodedSize(event);
  }
  if (bytes > maxAppendBytes) throw new AppendTooLargeError(bytes);
  return bytes;
}

/** What every adapter refuses that does not check counters: throws {@link InvalidAppendError}. */
export function refuseCounter(options: AppendOptions | undefined): void {
  if (options?.counter) throw new InvalidAppendError('this store does not check counters');
}

/** How many events a read may give back: a whole number from 1. */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new RangeError(`a read gives back at least one event, not ${limit}`);
}

function checkStream(stream: string): void {
  if (!isStorable(stream) || stream.length > maxStreamNameLength || stream.startsWith('$$'))
    throw new InvalidAppendError(`"${stream}" cannot name a stream`);
}

function checkExpected(expected: ExpectedVersion): void {
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 1))
    throw new InvalidAppendError(`${expected} is no version a stream can have`);
}

function checkEvent({ eventId, type, data, metadata }: EventToAppend): void {
  if (!canonicalUuid.test(eventId) || eventId === nilUuid)
    throw new InvalidAppendError(`"${eventId}" is no lower-case UUID other than nil`);
  if (!isStorable(type) || type.length > maxTypeLength)
    throw new InvalidAppendError(`"${type}" cannot name an event type`);
  if (!isStorable(data) || !isStorable(metadata))
    throw new InvalidAppendError(
      `data and metadata of "${type}" must be JSON text: not empty, no NUL, no lone surrogate`,
    );
}

function isStorable(text: string): boolean {
  return text.length > 0 && !text.includes('\0') && text.isWellFormed();
}
