import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';

import { type CheckpointPosition, findIdentity, findPositions } from './partition-rows.js';

/** So far events are counted by reading them, where positions do not count. */
export const maxCounted = 1_000;

/** Events may be large. */
const pageSize = 100;

/**
 * How many events lie behind `after` up to and including `to`. Undefined if positions do not count and there are
 * more than {@link maxCounted}.
 */
export async function countEvents(
  store: EventStore,
  after: CheckpointPosition,
  to: CheckpointPosition,
): Promise<number | undefined> {
  if (store.comparePositions(after, to) >= 0) return 0;
  return store.countBetween(after, to) ?? (await readAndCount(store, after, to));
}

/** The position that all of these have reached. Rows of another log hold nothing of this one. */
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

/** How many committed events the rows of a projection are behind; undefined as {@link countEvents} says. */
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
