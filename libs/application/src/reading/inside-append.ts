import { type AppendIndex, type CallOptions, findAppendIndex } from '#event-sourcing';
import { type ContextReader } from '#read-models';
import { type AppendRange, type ContextId } from '#shared-context';

/**
 * Finds the append that a version is inside of, by the ids of its events. Undefined if the version is the last of its
 * append, the newest of its context, or beyond it, or was stored before ids encoded the end of appends.
 */
export async function findAppendAround(
  reader: ContextReader,
  id: ContextId,
  version: number,
  options?: CallOptions,
): Promise<AppendRange | undefined> {
  const indexAt = (at: number) => findIndexAt(reader, id, at, options);
  const place = await indexAt(version);
  if (!place || place.following === 0) return undefined;
  const [first, end] = [version - place.index, version + place.following];
  if (first < 1) return undefined;
  // Imported ids come from another server, and an import may stop within an append that is then followed by other
  // writes.
  const isWhole =
    isAt(await indexAt(first), place, 0) && isAt(await indexAt(end), place, end - first);
  return isWhole ? { before: first === 1 ? null : first - 1, end } : undefined;
}

/** Whether `place` has this index and belongs to the same append as `other`. */
function isAt(place: AppendIndex | undefined, other: AppendIndex, index: number): boolean {
  return place?.index === index && countOf(place) === countOf(other);
}

function countOf({ index, following }: AppendIndex): number {
  return index + 1 + following;
}

async function findIndexAt(
  reader: ContextReader,
  id: ContextId,
  version: number,
  options: CallOptions | undefined,
): Promise<AppendIndex | undefined> {
  const tail = reader.storedTail(id, { after: version - 1, until: version, first: 1 }, options);
  for await (const { eventId } of tail) return findAppendIndex(eventId);
  return undefined;
}
