import { usePolling } from './use-polling.js';

/** Milliseconds until a list is read again while its rows lag behind the events. */
const defaultLaggingMs = 300;
/** Milliseconds until a current list is read again. */
const pollMs = 15_000;

type List = Parameters<typeof usePolling>[0] &
  Readonly<{ data: Readonly<{ pages: readonly Readonly<{ lag: number }>[] }> | undefined }>;

/** Reads a list again while its rows lag, and regularly after that: not every key may follow the stream of the workspace. */
export function useCurrentList(list: List, laggingMs = defaultLaggingMs): void {
  const isLagging = list.data?.pages.some(({ lag }) => lag > 0) ?? false;
  usePolling(list, isLagging ? laggingMs : pollMs);
}
