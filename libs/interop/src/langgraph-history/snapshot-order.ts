import { type StateSnapshot } from './state-snapshot.js';

/** An item with a place in the order of time. */
type SnapshotItem = Readonly<{ snapshot: StateSnapshot }>;

/**
 * Sorts snapshots, oldest first: by time and step if all have a time, else in the order of the file, which LangGraph
 * writes newest first.
 */
export function oldestFirst<Item extends SnapshotItem>(items: readonly Item[]): readonly Item[] {
  const [first, last] = [items.at(0)?.snapshot.step, items.at(-1)?.snapshot.step];
  const isForward = first !== undefined && last !== undefined && first < last;
  const inOrder = (isForward ? items : items.toReversed()).map((item) => ({
    item,
    time: Date.parse(item.snapshot.createdAt ?? ''),
    step: item.snapshot.step ?? 0,
  }));
  if (inOrder.some(({ time }) => Number.isNaN(time))) return inOrder.map(({ item }) => item);
  return inOrder
    .toSorted((left, right) => left.time - right.time || left.step - right.step)
    .map(({ item }) => item);
}
