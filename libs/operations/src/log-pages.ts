import { type EventStore, type Position, type StoredEvent } from '#event-sourcing';

const firstPage = 50;
const maxEvents = 500;
/** The target size of a page, estimated from the previous page, because events may be large. */
const pageCharacters = 4 * 1_048_576;

/** Yields every event up to `head`, in the order of the log, in pages. */
export async function* readLog(
  store: EventStore,
  head: Position | 'start',
): AsyncGenerator<readonly StoredEvent[]> {
  let limit = firstPage;
  for (let after: Position | 'start' = 'start'; store.comparePositions(after, head) < 0;) {
    const read: StoredEvent[] = await store.readAll({ after, limit });
    const page = read.filter(({ position }) => store.comparePositions(position, head) <= 0);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.position;
    limit = Math.min(Math.ceil(pageCharacters / charactersOfOne(page)), maxEvents);
  }
}

function charactersOfOne(page: readonly StoredEvent[]): number {
  const all = page.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 1);
  return all / page.length;
}
