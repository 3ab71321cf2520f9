import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { apiPath, type Query } from './client.js';
import { followStream } from './event-stream.js';
import { startsWith } from './use-api.js';

/** Milliseconds for which changes are collected before they are read. */
const collectMs = 250;

/**
 * Keeps everything that is shown of a context up to date while the page is open. `version`: the one that was read first; the stream begins
 * after it.
 */
export function useLiveContext(contextId: string, version: number | undefined): void {
  const [first, setFirst] = useState<Readonly<{ contextId: string; version: number }>>();
  if (version !== undefined && first?.contextId !== contextId) setFirst({ contextId, version });
  const isReady = first?.contextId === contextId;
  useLive(isReady ? apiPath('contexts', contextId, 'stream') : undefined, {
    query: { after: first?.version },
    changes: [apiPath('contexts', contextId), apiPath('receipts')],
  });
}

/** Marks what begins with `changes` as stale whenever the stream sends an event, at most every 250 ms. */
export function useLive(
  path: string | undefined,
  { query, changes }: Readonly<{ query: Query; changes: readonly string[] }>,
): void {
  const client = useQueryClient();
  const watched = JSON.stringify([query, changes]);
  useEffect(() => {
    if (path === undefined) return undefined;
    const [asked, prefixes] = JSON.parse(watched) as [Query, string[]];
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      void client.invalidateQueries({
        predicate: ({ queryKey }) => prefixes.some((prefix) => startsWith(queryKey, prefix)),
      });
    };
    void followStream(path, { query: asked, signal: ending.signal }, ({ event }) => {
      if (event === 'event' || event === 'reset') timer ??= setTimeout(refresh, collectMs);
    });
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [client, path, watched]);
}
