import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';

import { type CheckpointPosition, findIdentity, findPositions } from './partition-rows.js';

/** The maximum number of events that are counted by reading them, for stores whose positions do not count events. */
export const maxCounted = 1_000;

/** Small, since events may be large. */
const pageSize = 100;

/**
 * The number of events after `after`, up to and including `to`. Undefined if positions do not count events and there
 * are more than {@link maxCounted}.
 */
export async function countEvents(
  store: EventStore,
  after: CheckpointPosition,
  to: CheckpointPosition,
): Promise<number | undefined> {
  if (store.comparePositions(after, to) >= 0) return 0;
  return store.countBetween(after, to) ?? (await readAndCount(store, after, to));
}

/** The earliest of these positions; `start` if the rows follow another log. */
export function earliestOf(
  store: EventStore,
  positions: readonly CheckpointPosition[],
  isOfThisLog: boolean,
): CheckpointPosition {
  if (!isOfThisLog) return 'start';
  const [earliest = 'start'] = positions.toSorted((left, right) =>
    store.comparePositions(left, right),
  );
  return earliest;
}

/**
 * The number of committed events that the rows of a projection lag behind; undefined under the conditions of {@link
 * countEvents}.
 */
export async function findLag(
  { db, store }: Readonly<{ db: Kysely<Database>; store: EventStore }>,
  projection: string,
  identity: string,
): Promise<number | undefined> {
  const positions = await findPositions(db, projection);
  const followed = await findIdentity(db, projection);
  const earliest = earliestOf(store, positions, followed === identity);
  return countEvents(store, earliest, await store.head());
}

async function readAndCount(
  store: EventStore,
  after: CheckpointPosition,
  to: CheckpointPosition,
): Promise<number | undefined> {
  let counted = 0;
  for (let from = after; ;) {
    const page = await store.readAll({ after: from, limit: pageSize });
    counted += page.filter(({ position }) => store.comparePositions(position, to) <= 0).length;
    if (counted > maxCounted) return undefined;
    const last = page.at(-1)?.position;
    if (last === undefined || store.comparePositions(last, to) >= 0) return counted;
    from = last;
  }
}
