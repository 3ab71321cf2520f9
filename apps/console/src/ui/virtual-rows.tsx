import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

type VirtualRowsProps = Readonly<{
  label: string;
  count: number;
  keyAt: (index: number) => string;
  /** Pixels that a row takes before it is measured. */
  estimate: number;
  rowAt: (index: number) => ReactNode;
  /** Called with the indexes of the first and the last rendered row. */
  onRange?: ((first: number, last: number) => void) | undefined;
  /** The index of a row to scroll to, such as the one in the address; a visible row does not move. */
  scrollTo?: number | undefined;
}>;

/** Rows outside of the visible part; a few more are rendered, so that the keyboard finds the next one. */
const overscan = 8;

/** Rows of which only the visible ones are rendered: the cost does not depend on their number. */
export function VirtualRows(props: VirtualRowsProps) {
  const { label, count, keyAt, estimate, rowAt, onRange, scrollTo } = props;
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => estimate,
    getItemKey: keyAt,
    overscan,
  });
  const rows = virtual.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  useEffect(() => onRange?.(first, last), [onRange, first, last]);
  useEffect(() => {
    if (scrollTo !== undefined) virtual.scrollToIndex(scrollTo, { align: 'auto' });
  }, [virtual, scrollTo]);
  // A scroll of the browser would end early: measuring the rows on its way moves the list.
  const jump = (event: KeyboardEvent) => {
    if (event.target !== frame.current || (event.key !== 'Home' && event.key !== 'End')) return;
    event.preventDefault();
    virtual.scrollToIndex(event.key === 'Home' ? 0 : count - 1);
  };
  return (
    <div
      ref={frame}
      className="virtual-list"
      tabIndex={0}
      role="group"
      aria-label={label}
      onKeyDown={jump}
    >
      <ol style={{ height: virtual.getTotalSize() }} aria-label={label}>
        {rows.map(({ index, key, start }) =>
          index < count ? (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={count}
              style={{ transform: `translateY(${start}px)` }}
            >
              {rowAt(index)}
            </li>
          ) : null,
        )}
      </ol>
    </div>
  );
}
