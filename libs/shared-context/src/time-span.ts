import { type JsonValue } from '#event-sourcing';

/** Milliseconds between two RFC 3339 times; 0 if either is not a time, or if they are in the wrong order. */
export function millisecondsBetween(
  from: JsonValue | undefined,
  to: JsonValue | undefined,
): number {
  const span = timeOf(to) - timeOf(from);
  return span > 0 ? span : 0;
}

function timeOf(value: JsonValue | undefined): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
