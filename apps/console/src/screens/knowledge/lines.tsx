import { type ReactNode } from 'react';

import { VirtualList } from '../../ui/virtual-list.js';

type LinesProps<Item> = Readonly<{
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  row: (item: Item) => ReactNode;
  /** The text for an empty list. */
  none?: string;
  /** Reads further items; undefined if there are none. */
  onMore?: (() => void) | undefined;
}>;

/** A longer list gets a frame of its own that renders only its visible lines. */
const maxPlain = 30;

/** A list of one or two lines per item. */
export function Lines<Item>({ label, items, keyOf, row, none, onMore }: LinesProps<Item>) {
  if (items.length > maxPlain)
    return (
      <VirtualList
        {...{ label, items, keyOf, row }}
        estimate={28}
        {...(onMore !== undefined && { onEnd: onMore })}
      />
    );
  return (
    <>
      {items.length === 0 && !onMore && none !== undefined && <p>{none}</p>}
      {items.length > 0 && (
        <ul className="lines" aria-label={label}>
          {items.map((item) => (
            <li key={keyOf(item)}>{row(item)}</li>
          ))}
        </ul>
      )}
      {onMore && (
        <button type="button" onClick={onMore}>
          Show more
        </button>
      )}
    </>
  );
}
