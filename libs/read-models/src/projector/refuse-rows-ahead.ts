import { type EventStore } from '#event-sourcing';

import {
  type CheckpointPosition,
  type OwnedPartition,
  ForeignCheckpointError,
} from './partition-rows.js';

export const aheadOfLog =
  'the rows are ahead of the event store, whose log was brought back from an older backup: rebuild them';

/** `head` must have been read behind the positions: a projector moves them on. */
export function isAhead(
  store: EventStore,
  positions: readonly CheckpointPosition[],
  head: CheckpointPosition,
): boolean {
  return positions.some((position) => store.comparePositions(position, head) > 0);
}

/**
 * Refuses to go on where rows hold what the log does not: its next events would lie behind the checkpoints, and be
 * passed over. Throws {@link ForeignCheckpointError}.
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
