import { type AppendIndex, type CallOptions, findAppendIndex } from '#event-sourcing';
import { type ContextReader } from '#read-models';
import { type AppendRange, type ContextId } from '#shared-context';

/**
 * The write that a version lies inside of, by the ids of its events; undefined if it is the last of its write, the newest
 * of its context, beyond it, or was stored before ids said where writes end.
 */
export async function findAppendAround(
  reader: ContextReader,
  id: ContextId,
  version: number,
  options?: CallOptions,
): Promise<AppendRange | undefined> {
  const placeAt = (at: number) => findPlaceAt(reader, id, at, options);
  const place = await placeAt(version);
  if (!place || place.following === 0) return undefined;
  const [first, end] = [version - place.index, version + place.following];
  if (first < 1) return undefined;
  // An import brings ids that somebody else made, and may end within a write that others then write behind.
  const isWhole =
    isAt(await placeAt(first), place, 0) && isAt(await placeAt(end), place, end - first);
  return isWhole ? { before: first === 1 ? null : first - 1, end } : undefined;
}

/** Whether a place is the one at `index` of the write that `other` is of. */
function isAt(place: AppendIndex | undefined, other: AppendIndex, index: number): boolean {
  return place?.index === index && countOf(place) === countOf(other);
}

function countOf({ index, following }: AppendIndex): number {
  return index + 1 + following;
}

async function findPlaceAt(
  reader: ContextReader,
  id: ContextId,
  version: number,
  options: CallOptions | undefined,
): Promise<AppendIndex | undefined> {
  const tail = reader.storedTail(id, { after: version - 1, until: version, first: 1 }, options);
  for await (const { eventId } of tail) return findAppendIndex(eventId);
  return undefined;
}
