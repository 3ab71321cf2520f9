import { useEffect } from 'react';

import { isLongList } from './use-api.js';
import { usePageVisibility } from './use-page-visibility.js';

type PolledQuery = Readonly<{
  data: unknown;
  dataUpdatedAt: number;
  errorUpdatedAt: number;
  refetch: () => Promise<unknown>;
}>;

/**
 * Reads data again the given number of milliseconds after it was read, while the page is visible. A long list is not read again, nor
 * is data that could not be read at first.
 */
export function usePolling(query: PolledQuery, ms: number): void {
  const { data, dataUpdatedAt, errorUpdatedAt, refetch } = query;
  const isVisible = usePageVisibility();
  const isPolled = isVisible && data !== undefined && !isLongList(data);
  useEffect(() => {
    if (!isPolled) return undefined;
    const timer = setTimeout(() => void refetch(), ms);
    return () => clearTimeout(timer);
  }, [isPolled, ms, dataUpdatedAt, errorUpdatedAt, refetch]);
}
