import { type Position } from '#event-sourcing';

/** A position is the number of events up to it, in decimal; `start` is none of them. */
export function countOf(position: Position | 'start'): bigint {
  if (position === 'start') return 0n;
  if (!/^[1-9]\d{0,18}$/.test(position))
    throw new RangeError(`"${position}" is no position of a log in PostgreSQL`);
  return BigInt(position);
}

/** From the `bigint` column, whichever way the pool parses it. */
export function asPosition(count: unknown): Position | 'start' {
  const text = String(count);
  // The column counts the log's events, which is what a position of this log is.
  return text === '0' ? 'start' : (text as Position);
}
