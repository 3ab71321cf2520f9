import { type Position } from '#event-sourcing';

/** A position is the number of events up to it, as a decimal; `start` is zero. */
export function countOf(position: Position | 'start'): bigint {
  if (position === 'start') return 0n;
  if (!/^[1-9]\d{0,18}$/.test(position))
    throw new RangeError(`"${position}" is not a position of a log in PostgreSQL`);
  return BigInt(position);
}

/** Converts a value of the `bigint` column, however the pool parses it. */
export function asPosition(count: unknown): Position | 'start' {
  const text = String(count);
  // The cast is safe: the column counts the events of the log, which is the definition of a position.
  return text === '0' ? 'start' : (text as Position);
}
