import { z } from 'zod';

const dateTime =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d):(\d\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const leap = '60';

const message = 'must be an RFC 3339 time with offset, such as 2026-01-25T10:00:00Z';

/**
 * Parses an RFC 3339 time to UTC ISO text with milliseconds; undefined for any other text. Fractions of a millisecond are
 * truncated. A leap second, which can only end a month in UTC, becomes the last millisecond before it. Years outside 0001
 * to 9999 (UTC) are refused: ISO text and the database cannot represent them.
 */
export function parseRfc3339(text: string): string | undefined {
  const [, minute, second, fraction, offset] = dateTime.exec(text.toUpperCase()) ?? [];
  const local = instantOf(`${minute}:${secondsOf(second, fraction)}Z`);
  if (local === undefined) return undefined;
  const utc = new Date(local - offsetMs(offset));
  return isWritable(utc) && (second !== leap || endsMonth(utc)) ? utc.toISOString() : undefined;
}

/** Parses a text with {@link parseRfc3339}. */
export const rfc3339Time = z
  .string()
  .transform((text, context) => {
    const time = parseRfc3339(text);
    if (time !== undefined) return time;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({ documented: { type: 'string', format: 'date-time' } });

function secondsOf(second: string | undefined, fraction = ''): string {
  return second === leap ? '59.999' : `${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
}

/** Compares the text again, because Date.parse reads the 30th of February as the 2nd of March. */
function instantOf(iso: string): number | undefined {
  const time = Date.parse(iso);
  return !Number.isNaN(time) && new Date(time).toISOString() === iso ? time : undefined;
}

function offsetMs(offset = ''): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function isWritable(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function endsMonth(time: Date): boolean {
  return new Date(time.getTime() + 1).toISOString().endsWith('-01T00:00:00.000Z');
}
