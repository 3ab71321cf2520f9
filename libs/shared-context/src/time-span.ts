import { type JsonValue } from '#event-sourcing';

/** From one time to another, RFC 3339; 0 if either is none, or they are the other way round. */
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
