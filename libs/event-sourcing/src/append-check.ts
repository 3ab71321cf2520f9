import {
  type AppendOptions,
  type EventToAppend,
  type ExpectedVersion,
  AppendTooLargeError,
  InvalidAppendError,
  encodedSize,
  maxAppendBytes,
} from './event-store.js';

/** In UTF-16 code units; with up to four UTF-8 bytes for each, the name still fits into a PostgreSQL index entry. */
const maxStreamNameLength = 512;
export const maxTypeLength = 256;

const nilUuid = '00000000-0000-0000-0000-000000000000';
const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The checks that every adapter makes before it reads the stream, so that all adapters accept the same appends. Throws
 * {@link InvalidAppendError} or {@link AppendTooLargeError}. Text must be valid Unicode without NUL, as it is stored as
 * UTF-8; JSON can represent both as escapes. Names that begin with `$$` belong to system streams of KurrentDB. Returns
 * the size of the append in bytes, see {@link encodedSize}.
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

/** Throws {@link InvalidAppendError} if an append depends on a counter, for adapters that do not check counters. */
export function refuseCounter(options: AppendOptions | undefined): void {
  if (options?.counter) throw new InvalidAppendError('this store does not check counters');
}

/** The limit of a read must be a whole number from 1. */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new RangeError(`the limit of a read must be a whole number from 1, not ${limit}`);
}

function checkStream(stream: string): void {
  if (!isStorable(stream) || stream.length > maxStreamNameLength || stream.startsWith('$$'))
    throw new InvalidAppendError(`"${stream}" cannot name a stream`);
}

function checkExpected(expected: ExpectedVersion): void {
  if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 1))
    throw new InvalidAppendError(`${expected} is not a valid version of a stream`);
}

function checkEvent({ eventId, type, data, metadata }: EventToAppend): void {
  if (!canonicalUuid.test(eventId) || eventId === nilUuid)
    throw new InvalidAppendError(`"${eventId}" must be a lower-case UUID other than the nil UUID`);
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
