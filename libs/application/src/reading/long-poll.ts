import { type ContextChanges, type ContextWatch } from './context-changes.js';

export type LongPoll = Readonly<{
  changes: ContextChanges;
  /** Opened before the first read, so that no change falls between. */
  watch: () => Promise<ContextWatch>;
  seconds: number;
  signal?: AbortSignal | undefined;
}>;

/** Reads at once and after every change, until it is there, the time is over or the server stops. */
export async function longPoll<Found>(
  { changes, watch, seconds, signal }: LongPoll,
  read: () => Promise<Found>,
  isThere: (found: Found) => boolean,
): Promise<Found> {
  if (seconds <= 0) return read();
  const until = Date.now() + seconds * 1000;
  const watching = await watch();
  try {
    for (;;) {
      const found = await read();
      const left = until - Date.now();
      if (isThere(found) || left <= 0 || changes.stopping) return found;
      await watching.next(left, signal);
    }
  } finally {
    watching.close();
  }
}
