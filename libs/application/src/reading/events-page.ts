import { type CallOptions } from '#event-sourcing';
import { type ContextId, type ContextReader, type DecodedEvent, decodeEvent } from '#read-models';

import { withinBytes } from './page-bytes.js';

const firstRead = 32;

/** Versions behind `after` up to `until`. */
export type EventRange = Readonly<{
  after: number;
  until: number;
  limit: number;
  types?: readonly string[] | undefined;
}>;

/** Events of a range, oldest first; `next` is where the next page goes on, undefined at the end. */
export async function readEventsPage(
  reader: ContextReader,
  id: ContextId,
  range: EventRange,
  options?: CallOptions,
): Promise<Readonly<{ events: readonly DecodedEvent[]; next: number | undefined }>> {
  const found = await findEvents(reader, id, range, options);
  const events = found.slice(0, withinBytes(found.slice(0, range.limit), bytesOf));
  return { events, next: found.length > events.length ? events.at(-1)?.version : undefined };
}

/** One more than the page holds, to know whether another follows. */
async function findEvents(
  reader: ContextReader,
  id: ContextId,
  { after, until, limit, types }: EventRange,
  options?: CallOptions,
): Promise<DecodedEvent[]> {
  const found: DecodedEvent[] = [];
  const first = Math.min(limit + 1, firstRead);
  for await (const stored of reader.storedTail(id, { after, first }, options)) {
    if (stored.version > until) break;
    if (!types || types.includes(stored.type)) found.push(decodeEvent(stored));
    if (found.length > limit || withinBytes(found, bytesOf) < found.length) break;
  }
  return found;
}

function bytesOf({ bytes }: DecodedEvent): number {
  return bytes;
}
