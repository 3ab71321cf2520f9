import { type ReactNode, useCallback } from 'react';

import { VirtualRows } from './virtual-rows.js';

type VirtualListProps<Item> = Readonly<{
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** Pixels that a row takes before it is measured. */
  estimate: number;
  row: (item: Item, at: number) => ReactNode;
  /** Called when the last rows come into view and there are more. */
  onEnd?: (() => void) | undefined;
  /** The index of an item to scroll to, such as the one in the address; a visible item does not move. */
  scrollTo?: number | undefined;
}>;

/** A list of loaded items that renders only the visible rows. */
export function VirtualList<Item>({
  label,
  items,
  keyOf,
  estimate,
  row,
  onEnd,
  scrollTo,
}: VirtualListProps<Item>) {
  const count = items.length;
  const watchEnd = useCallback(
    (_first: number, last: number) => {
      if (last >= count - 1) onEnd?.();
    },
    [count, onEnd],
  );
  return (
    <VirtualRows
      {...{ label, count, estimate, scrollTo }}
      keyAt={(at) => {
        const item = items[at];
        return item === undefined ? String(at) : keyOf(item);
      }}
      rowAt={(at) => {
        const item = items[at];
        return item === undefined ? null : row(item, at);
      }}
      onRange={onEnd && watchEnd}
    />
  );
}
