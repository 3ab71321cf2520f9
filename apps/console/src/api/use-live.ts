import { type Query as CachedQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { currentWorkspace } from '../navigation/location.js';
import { apiPath, type Query } from './client.js';
import { type StreamPosition, followStream } from './event-stream.js';
import { Refresher } from './refresher.js';
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
 * Reads everything again that begins with `changes` whenever the stream sends an event, at most every `collectMs` and one
 * read at a time. Immutable data is read again only after a reset, and long lists never: they offer a button instead. Hidden
 * pages follow no stream, and read everything again when they become visible.
 */
export function useLive(
  path: string | undefined,
  request: Readonly<{ query: Query; changes: readonly string[]; collectMs?: number }>,
): void {
  const client = useQueryClient();
  const isVisible = usePageVisibility();
  const wasHidden = useRef(false);
  const { collectMs = defaultCollectMs } = request;
  /** A page that becomes visible again continues its stream instead of reading all its events again. */
  const position = useRef<StreamPosition & Readonly<{ stream: string }>>({
    stream: '',
    lastId: undefined,
  });
  const watched = JSON.stringify([request.query, request.changes, currentWorkspace()]);
  useEffect(() => {
    if (path === undefined || !isVisible) return undefined;
    const [query, prefixes] = JSON.parse(watched) as [Query, string[]];
    const ending = new AbortController();
    const refresher = new Refresher(
      (includesImmutable) =>
        client.invalidateQueries({
          predicate: (cached) => isRefreshed(cached, { prefixes, includesImmutable }),
        }),
      (run) => after(collectMs, run),
    );
    // What happened while the page was hidden may be anything.
    if (wasHidden.current) refresher.change(true);
    const stream = `${path} ${watched}`;
    if (position.current.stream !== stream) position.current = { stream, lastId: undefined };
    const options = { query, position: position.current, signal: ending.signal };
    void followStream(path, options, ({ event }) => {
      if (event === 'event' || event === 'reset') refresher.change(event === 'reset');
    });
    return () => {
      refresher.stop();
      ending.abort();
      wasHidden.current = document.visibilityState === 'hidden';
    };
  }, [client, path, isVisible, watched, collectMs]);
}

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

function isRefreshed(
  { queryKey, meta, state }: CachedQuery,
  {
    prefixes,
    includesImmutable,
  }: Readonly<{ prefixes: readonly string[]; includesImmutable: boolean }>,
): boolean {
  const isImmutable = meta?.['isImmutable'] === true;
  return (
    prefixes.some((prefix) => startsWith(queryKey, prefix)) &&
    (includesImmutable || !isImmutable) &&
    !isLongList(state.data)
  );
}
