import { useState } from 'react';

import { pollMsAfter } from './poll-interval.js';
import { usePolling } from './use-polling.js';

type List = Parameters<typeof usePolling>[0] &
  Readonly<{ data: Readonly<{ pages: readonly Readonly<{ lag: number }>[] }> | undefined }>;

/**
 * Reads a list again while its rows lag, and regularly after that: not every key may follow the stream of the workspace.
 * `minMs`: the least milliseconds between two reads.
 */
export function useCurrentList(list: List, minMs = 0): void {
  const { data, dataUpdatedAt } = list;
  const [read, setRead] = useState({ at: 0, lagging: 0 });
  if (dataUpdatedAt !== read.at) {
    const isLagging = data?.pages.some(({ lag }) => lag > 0) ?? false;
    setRead({ at: dataUpdatedAt, lagging: isLagging ? read.lagging + 1 : 0 });
  }
  usePolling(list, Math.max(minMs, pollMsAfter(read.lagging)));
}
