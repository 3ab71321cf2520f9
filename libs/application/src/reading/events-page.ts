import { type Gate } from '#context-views';
import { type CallOptions } from '#event-sourcing';
import { type ContextId, type DecodedEvent, decodeEvent } from '#read-models';

import { type GatedReader } from '../audiences/gated-reader.js';
import { shownBytes, withinBytes } from './page-bytes.js';

const firstRead = 32;
const lookedAtOnce = 64;

/** Versions behind `after` up to `until`. */
export type EventRange = Readonly<{
  after: number;
  until: number;
  limit: number;
  types?: readonly string[] | undefined;
}>;

/** Whose events, and what is seen of them. */
export type EventScope = Readonly<{ id: ContextId; gate: Gate | undefined }>;

/** Events of a range, oldest first; `next` is where the next page goes on, undefined at the end. */
export async function readEventsPage(
  reader: GatedReader,
  scope: EventScope,
  range: EventRange,
  options?: CallOptions,
): Promise<Readonly<{ events: readonly DecodedEvent[]; next: number | undefined }>> {
  const found = await findEvents(reader, scope, range, options);
  const bytesOf = scope.gate ? shownBytes : storedBytes;
  const events = found.slice(0, withinBytes(found.slice(0, range.limit), bytesOf));
  return { events, next: found.length > events.length ? events.at(-1)?.version : undefined };
}

/** One more than the page holds, to know whether another follows. */
async function findEvents(
  gated: GatedReader,
  { id, gate }: EventScope,
  { after, until, limit, types }: EventRange,
  options?: CallOptions,
): Promise<DecodedEvent[]> {
  const found: DecodedEvent[] = [];
  let unseen: DecodedEvent[] = [];
  const look = async () => {
    found.push(...(await gated.see(id, gate, unseen)));
    unseen = [];
    const bytesOf = gate ? shownBytes : storedBytes;
    return found.length > limit || withinBytes(found, bytesOf) < found.length;
  };
  const first = Math.min(limit + 1, firstRead);
  for await (const stored of gated.reader.storedTail(id, { after, first }, options)) {
    if (stored.version > until) break;
    if (!types || types.includes(stored.type)) unseen.push(decodeEvent(stored));
    // What is behind the gate is looked up for many at once.
    if ((!gate || unseen.length >= lookedAtOnce) && (await look())) return found;
  }
  await look();
  return found;
}

function storedBytes({ bytes }: DecodedEvent): number {
  return bytes;
}
