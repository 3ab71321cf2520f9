import { type EventStore, type Position, type StoredEvent, encodedSize } from '#event-sourcing';

import { partitionOf } from '../projector/partition.js';
import { type ReadModelState } from './search-lag.queries.js';

type Place = Position | 'start';
type Positions = Pick<EventStore, 'comparePositions'>;

/** How far the indexer has followed the log, by rows of the read model that are known as `rows`. */
export type LogProgress = Readonly<{
  rows: string;
  position: Place;
  /** Events before `position` that their partitions of the projection have not reached. */
  held: readonly StoredEvent[];
  /**
   * For each partition of which events were passed over: the position of the last one. Contexts that are behind are looked for until
   * the partition has reached it and all of them are found.
   */
  passedOver: ReadonlyMap<number, Place>;
  /** How far the foremost partition had come at the last pass. */
  foremost: Place;
}>;

/** Maximum number and bytes of held events. */
const [maxHeld, maxHeldBytes] = [2_048, 8 * 1_048_576];

/** Follows the log from the position of the foremost partition. All earlier events are passed over. */
export function progressFrom(store: Positions, { rows, reached }: ReadModelState): LogProgress {
  const foremost = foremostOf(store, reached);
  const passedOver = new Map(Array.from(reached.keys(), (partition) => [partition, foremost]));
  return { rows, position: foremost, held: [], passedOver, foremost };
}

/** False if other rows have replaced those of the progress, or an earlier log, as from a backup, has replaced its log. */
export function canContinue(
  store: Positions,
  progress: LogProgress,
  { rows, reached }: ReadModelState,
): boolean {
  const foremost = foremostOf(store, reached);
  return progress.rows === rows && store.comparePositions(foremost, progress.foremost) >= 0;
}

/** Divides held events and those that were read behind them into those that are projected and those to hold. */
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
 * The progress once all contexts that were behind are indexed. The state was read before: partitions that had reached the events that were
 * passed over lack nothing any more.
 */
export function afterLook(
  store: Positions,
  progress: LogProgress,
  { reached }: ReadModelState,
): LogProgress {
  const passedOver = [...progress.passedOver].filter(
    ([partition, position]) =>
      store.comparePositions(reached.get(partition) ?? 'start', position) < 0,
  );
  return { ...progress, passedOver: new Map(passedOver) };
}

function isTooMuch(held: readonly StoredEvent[]): boolean {
  if (held.length > maxHeld) return true;
  return held.reduce((sum, event) => sum + encodedSize(event), 0) > maxHeldBytes;
}

function withoutHeld(progress: LogProgress): LogProgress {
  const passedOver = new Map(progress.passedOver);
  for (const { stream, position } of progress.held) passedOver.set(partitionOf(stream), position);
  return { ...progress, held: [], passedOver };
}

function foremostOf(store: Positions, reached: ReadModelState['reached']): Place {
  let foremost: Place = 'start';
  for (const place of reached.values())
    if (store.comparePositions(place, foremost) > 0) foremost = place;
  return foremost;
}
