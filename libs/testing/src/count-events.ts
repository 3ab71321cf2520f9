import { type EventStore, type Position } from '#event-sourcing';

const pageSize = 1_000;

/** Every event in the log, whether or not its positions count events. */
export async function countEvents(store: EventStore): Promise<number> {
  const counted = store.countBetween('start', await store.head());
  if (counted !== undefined) return counted;
  let count = 0;
  for (let after: Position | 'start' | undefined = 'start'; after;) {
    const events = await store.readAll({ after, limit: pageSize });
    count += events.length;
    after = events.at(-1)?.position;
  }
  return count;
}
