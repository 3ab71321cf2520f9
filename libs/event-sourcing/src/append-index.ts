/**
 * The place of an event in its append: `index` counts from 0; `following`: the number of later events in the append.
 */
export type AppendIndex = Readonly<{ index: number; following: number }>;

/** The numbers have three hexadecimal digits each, which is enough for the events of one append. */
const maxEvents = 4_096;

/** A UUID of version 8 (RFC 9562), in which applications define everything except version and variant. */
const indexedUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8([0-9a-f]{3})-[89ab]([0-9a-f]{3})-[0-9a-f]{12}$/;

/**
 * The id of an event in an append of several: a UUID of version 8 that contains the {@link AppendIndex} and is
 * otherwise equal to `eventId`. The id of a single event stays unchanged.
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

/**
 * The place of an event in its append, read from its id; undefined for single events, and for events from before such
 * ids.
 */
export function findAppendIndex(eventId: string): AppendIndex | undefined {
  const [, index, following] = indexedUuid.exec(eventId) ?? [];
  if (index === undefined || following === undefined) return undefined;
  return { index: Number.parseInt(index, 16), following: Number.parseInt(following, 16) };
}

function hexOf(value: number): string {
  return value.toString(16).padStart(3, '0');
}
