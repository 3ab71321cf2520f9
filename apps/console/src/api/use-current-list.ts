import { useEffect } from 'react';

import { isLongList } from './use-api.js';

/** Milliseconds until a list is read again while its rows lag behind the events. */
const lagMs = 300;
/** Milliseconds until a current list is read again. */
const pollMs = 15_000;

type List = Readonly<{
  data: Readonly<{ pages: readonly Readonly<{ lag: number }>[] }> | undefined;
  dataUpdatedAt: number;
  refetch: () => Promise<unknown>;
}>;

/**
 * Reads a list again while its rows lag, and regularly after that: not every key may follow the stream of the workspace.
 * A long list is not read again.
 */
export function useCurrentList({ data, dataUpdatedAt, refetch }: List): void {
  const isShort = data !== undefined && !isLongList(data);
  const isLagging = data?.pages.some(({ lag }) => lag > 0) ?? false;
  useEffect(() => {
    if (!isShort) return undefined;
    const timer = setTimeout(() => void refetch(), isLagging ? lagMs : pollMs);
    return () => clearTimeout(timer);
  }, [isShort, isLagging, dataUpdatedAt, refetch]);
}
