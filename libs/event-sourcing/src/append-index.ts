/** Where an event stands in the write that stored it: `index` from 0, and how many events of that write come behind it. */
export type AppendIndex = Readonly<{ index: number; following: number }>;

/** Three hexadecimal digits each. More events than one append holds. */
const maxEvents = 4_096;

/** Version 8 of RFC 9562, of which everything but version and variant is for applications to define. */
const placed = /^[0-9a-f]{8}-[0-9a-f]{4}-8([0-9a-f]{3})-[89ab]([0-9a-f]{3})-[0-9a-f]{12}$/;

/**
 * The id of an event of a write of several: a UUID of version 8 that says which event of how many it is, and else is what
 * the given UUID is. The id of an event that is a write by itself stays as it is.
 */
export function withAppendIndex(
  eventId: string,
  { index, count }: Readonly<{ index: number; count: number }>,
): string {
  if (count === 1 || count > maxEvents) return eventId;
  const [time, low, , variant = '', node] = eventId.split('-');
  const following = count - 1 - index;
  return [time, low, `8${hexOf(index)}`, `${variant.slice(0, 1)}${hexOf(following)}`, node].join(
    '-',
  );
}

/** What an event's id says of its write; undefined if it was stored before ids did, or is a write by itself. */
export function findAppendIndex(eventId: string): AppendIndex | undefined {
  const [, index, following] = placed.exec(eventId) ?? [];
  if (index === undefined || following === undefined) return undefined;
  return { index: Number.parseInt(index, 16), following: Number.parseInt(following, 16) };
}

function hexOf(value: number): string {
  return value.toString(16).padStart(3, '0');
}
