import { keepPreviousData, useQueries } from '@tanstack/react-query';

import { type Query, apiPath, call } from '../../api/client.js';
import { type Page, keyOf } from '../../api/use-api.js';
import { type ContextEvent } from './event.js';
import { type EventPage, pagesOf } from './event-pages.js';

/** Milliseconds for which a page that is not visible any more stays in memory. */
const unusedMs = 60_000;

type LoadedEvents = Readonly<{
  /** The loaded events by their versions. */
  events: ReadonlyMap<number, ContextEvent>;
  /** Whether the page of a version is loaded: a version without an event is then hidden from the reader. */
  isLoaded: (version: number) => boolean;
  error: Error | null;
  refetch: () => Promise<unknown>;
}>;

/** The events from version `first` to `last`: only their pages are read. Events never change, so a page is read once. */
export function useEventPages(
  contextId: string,
  { first, last, newest }: Readonly<{ first: number; last: number; newest: number }>,
): LoadedEvents {
  const path = apiPath('contexts', contextId, 'events');
  const pages = pagesOf(first, last, newest);
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: keyOf(path, page),
      queryFn: ({ signal }: Readonly<{ signal: AbortSignal }>) => readPage(path, page, signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: unusedMs,
      meta: { isImmutable: true },
      placeholderData: keepPreviousData,
    })),
  });
  const loaded = pages.filter((_, nth) => results[nth]?.data !== undefined);
  return {
    events: new Map(
      results.flatMap(({ data }) => (data ?? []).map((event) => [event.version, event] as const)),
    ),
    isLoaded: (version) => loaded.some(({ after, until }) => version > after && version <= until),
    error: results.find(({ error }) => error)?.error ?? null,
    refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
  };
}

/** Reads all events of a page. The server may split a page of large events. */
async function readPage(
  path: string,
  { after, until }: EventPage,
  signal: AbortSignal,
): Promise<readonly ContextEvent[]> {
  const events: ContextEvent[] = [];
  let cursor: string | null = null;
  do {
    const query: Query = { after, limit: until - after, ...(cursor !== null && { cursor }) };
    const { items, nextCursor } = (await call<Page<ContextEvent>>(path, { query, signal })).body;
    events.push(...items.filter(({ version }) => version <= until));
    cursor = (items.at(-1)?.version ?? 0) < until ? nextCursor : null;
  } while (cursor !== null && events.length < until - after);
  return events;
}
