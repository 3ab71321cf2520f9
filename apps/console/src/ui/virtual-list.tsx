import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

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

/** Rows outside of the visible part; a few more are rendered, so that the keyboard finds the next one. */
const overscan = 8;

/** A list that renders only the visible rows: its cost does not depend on the number of items. */
export function VirtualList<Item>({
  label,
  items,
  keyOf,
  estimate,
  row,
  onEnd,
  scrollTo,
}: VirtualListProps<Item>) {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => estimate,
    getItemKey: (at) => {
      const item = items[at];
      return item === undefined ? at : keyOf(item);
    },
    overscan,
  });
  const rows = virtual.getVirtualItems();
  const isAtEnd = (rows.at(-1)?.index ?? 0) >= items.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, items.length, onEnd]);
  useEffect(() => {
    if (scrollTo !== undefined) virtual.scrollToIndex(scrollTo, { align: 'auto' });
  }, [virtual, scrollTo]);
  return (
    <div ref={frame} className="virtual-list" tabIndex={0} role="group" aria-label={label}>
      <ol style={{ height: virtual.getTotalSize() }} aria-label={label}>
        {rows.map(({ index, key, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={items.length}
              style={{ transform: `translateY(${start}px)` }}
            >
              {row(item, index)}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
