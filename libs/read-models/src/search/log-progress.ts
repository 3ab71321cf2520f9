import { type EventStore, type Position, type StoredEvent, encodedSize } from '#event-sourcing';

import { partitionOf } from '../projector/partition.js';
import { type ReadModelState } from './search-lag.queries.js';

type LogPosition = Position | 'start';
type Positions = Pick<EventStore, 'comparePositions'>;

/** How far the indexer has followed the log; `rows` identifies the rows of the read model. */
export type LogProgress = Readonly<{
  rows: string;
  position: LogPosition;
  /** Events before `position` that their partitions of the projection have not reached. */
  held: readonly StoredEvent[];
  /**
   * For each partition with skipped events: the position of the last one. Contexts that are behind are queried until
   * the partition has reached it and all of them are indexed.
   */
  skipped: ReadonlyMap<number, LogPosition>;
  /** The position of the foremost partition at the last pass. */
  foremost: LogPosition;
}>;

/** Maximum number and bytes of held events. */
const [maxHeld, maxHeldBytes] = [2_048, 8 * 1_048_576];

/** Follows the log from the position of the foremost partition, and marks all earlier events as skipped. */
export function progressFrom(store: Positions, { rows, reached }: ReadModelState): LogProgress {
  const foremost = foremostOf(store, reached);
  const skipped = new Map(Array.from(reached.keys(), (partition) => [partition, foremost]));
  return { rows, position: foremost, held: [], skipped, foremost };
}

/** False if the rows were replaced, or if the log was replaced by an earlier one, such as from a backup. */
export function canContinue(
  store: Positions,
  progress: LogProgress,
  { rows, reached }: ReadModelState,
): boolean {
  const foremost = foremostOf(store, reached);
  return progress.rows === rows && store.comparePositions(foremost, progress.foremost) >= 0;
}

/** Divides held events and the events read after them into projected events and events to hold. */
export function passEvents(
  store: Positions,
  progress: LogProgress,
  read: readonly StoredEvent[],
  { reached }: ReadModelState,
): Readonly<{ projected: readonly StoredEvent[]; progress: LogProgress }> {
  const isProjected = ({ stream, position }: StoredEvent) =>
    store.comparePositions(position, reached.get(partitionOf(stream)) ?? 'start') <= 0;
  const events = [...progress.held, ...read];
  const held = events.filter((event) => !isProjected(event));
  const position = read.at(-1)?.position ?? progress.position;
  const passed = { ...progress, position, held, foremost: foremostOf(store, reached) };
  return {
    projected: events.filter(isProjected),
    progress: isTooMuch(held) ? withoutHeld(passed) : passed,
  };
}

/**
 * The progress after all contexts that were behind are indexed. `reached` was read before that: partitions that had
 * reached their skipped events lack none any more.
 */
export function afterFullIndexing(
  store: Positions,
  progress: LogProgress,
  { reached }: ReadModelState,
): LogProgress {
  const skipped = [...progress.skipped].filter(
    ([partition, position]) =>
      store.comparePositions(reached.get(partition) ?? 'start', position) < 0,
  );
  return { ...progress, skipped: new Map(skipped) };
}

function isTooMuch(held: readonly StoredEvent[]): boolean {
  if (held.length > maxHeld) return true;
  return held.reduce((sum, event) => sum + encodedSize(event), 0) > maxHeldBytes;
}

function withoutHeld(progress: LogProgress): LogProgress {
  const skipped = new Map(progress.skipped);
  for (const { stream, position } of progress.held) skipped.set(partitionOf(stream), position);
  return { ...progress, held: [], skipped };
}

function foremostOf(store: Positions, reached: ReadModelState['reached']): LogPosition {
  let foremost: LogPosition = 'start';
  for (const position of reached.values())
    if (store.comparePositions(position, foremost) > 0) foremost = position;
  return foremost;
}
