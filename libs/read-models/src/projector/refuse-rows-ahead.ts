import { type EventStore } from '#event-sourcing';

import {
  type CheckpointPosition,
  type OwnedPartition,
  ForeignCheckpointError,
} from './partition-rows.js';

export const aheadOfLog =
  'the rows are ahead of the event store, whose log was restored from an older backup: rebuild them';

/** `head` must be read after the positions, since a projector advances them. */
export function isAhead(
  store: EventStore,
  positions: readonly CheckpointPosition[],
  head: CheckpointPosition,
): boolean {
  return positions.some((position) => store.comparePositions(position, head) > 0);
}

/**
 * Refuses to continue if the rows hold events that the log does not: new events would get positions before the
 * checkpoints and would be skipped. Throws {@link ForeignCheckpointError}.
 */
export async function refuseRowsAhead(
  store: EventStore,
  owned: readonly OwnedPartition[],
): Promise<void> {
  const positions = owned
    .map(({ position }) => position)
    .filter((position) => position !== 'start');
  if (positions.length > 0 && isAhead(store, positions, await store.head()))
    throw new ForeignCheckpointError(aheadOfLog);
}
