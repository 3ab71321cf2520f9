import { type Query as CachedQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { apiPath, type Query } from './client.js';
import { followStream } from './event-stream.js';
import { isLongList, startsWith } from './use-api.js';
import { usePageVisibility } from './use-page-visibility.js';

/** Milliseconds for which changes are collected before they are read, unless a screen collects them for longer. */
const defaultCollectMs = 250;

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

/**
 * Reads everything again that begins with `changes` whenever the stream sends an event, at most every `collectMs`. Immutable
 * data is read again only after a reset, and long lists never: they offer a button instead. Hidden pages follow no stream,
 * and read everything again when they become visible.
 */
export function useLive(
  path: string | undefined,
  request: Readonly<{ query: Query; changes: readonly string[]; collectMs?: number }>,
): void {
  const client = useQueryClient();
  const isVisible = usePageVisibility();
  const wasHidden = useRef(false);
  const { collectMs = defaultCollectMs } = request;
  const watched = JSON.stringify([request.query, request.changes]);
  useEffect(() => {
    if (path === undefined || !isVisible) return undefined;
    const [query, prefixes] = JSON.parse(watched) as [Query, string[]];
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // What happened while the page was hidden may be anything.
    let isReset = wasHidden.current;
    const refresh = () => {
      const includesImmutable = isReset;
      [timer, isReset] = [undefined, false];
      void client.invalidateQueries({
        predicate: (cached) =>
          prefixes.some((prefix) => startsWith(cached.queryKey, prefix)) &&
          isRefreshed(cached, includesImmutable),
      });
    };
    if (wasHidden.current) refresh();
    void followStream(path, { query, signal: ending.signal }, ({ event }) => {
      if (event !== 'event' && event !== 'reset') return;
      isReset ||= event === 'reset';
      timer ??= setTimeout(refresh, collectMs);
    });
    return () => {
      clearTimeout(timer);
      ending.abort();
      wasHidden.current = document.visibilityState === 'hidden';
    };
  }, [client, path, isVisible, watched, collectMs]);
}

function isRefreshed({ meta, state }: CachedQuery, includesImmutable: boolean): boolean {
  const isImmutable = meta?.['isImmutable'] === true;
  return (includesImmutable || !isImmutable) && !isLongList(state.data);
}
