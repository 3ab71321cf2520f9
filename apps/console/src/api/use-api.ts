import {
  type UseQueryResult,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';

import { currentWorkspace } from '../navigation/location.js';
import { type ApiRequest, type ApiResponse, type Query, call } from './client.js';

export type Page<Item> = Readonly<{ items: readonly Item[]; nextCursor: string | null }>;

/** `lag`: the number of events that the rows of the page do not include yet. */
type Lagging<Body> = Body & Readonly<{ lag: number }>;

/** Reads a resource of the API. `undefined` as the path reads nothing yet. */
export function useApi<Body>(
  path: string | undefined,
  query: Query = {},
): UseQueryResult<ApiResponse<Body>> {
  return useQuery({
    queryKey: keyOf(path ?? '', query),
    queryFn: ({ signal }) => call<Body>(path ?? '', { query, signal }),
    enabled: path !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Reads a resource that never changes, such as an event: it is read again only after a reset of the live stream. */
export function useImmutableApi<Body>(
  path: string,
  query: Query,
): UseQueryResult<ApiResponse<Body>> {
  return useQuery({
    queryKey: keyOf(path, query),
    queryFn: ({ signal }) => call<Body>(path, { query, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { isImmutable: true },
  });
}

/** Reads one resource with several queries, such as a document for several audiences; the answers have their order. */
export function useApiEach<Body>(
  path: string,
  queries: readonly Query[],
): readonly UseQueryResult<ApiResponse<Body>>[] {
  return useQueries({
    queries: queries.map((query) => ({
      queryKey: keyOf(path, query),
      queryFn: ({ signal }: Readonly<{ signal: AbortSignal }>) =>
        call<Body>(path, { query, signal }),
    })),
  });
}

/** Returns a function that reads a resource now, even if a copy of it is cached. */
export function useReader(): <Body>(path: string) => Promise<ApiResponse<Body>> {
  const client = useQueryClient();
  return <Body>(path: string) =>
    client.fetchQuery({
      queryKey: keyOf(path, {}),
      queryFn: ({ signal }) => call<Body>(path, { signal }),
      staleTime: 0,
    });
}

/** Reads a resource whose request has a body, such as a prompt. The request writes nothing. */
export function useApiByPost<Body>(
  path: string,
  body: Readonly<Record<string, unknown>>,
): UseQueryResult<ApiResponse<Body>> {
  return useQuery({
    queryKey: [path, body, currentWorkspace()],
    queryFn: ({ signal }) => call<Body>(path, { method: 'POST', body, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Reads a list page by page. `Body`: a page with more members than its items. */
export function useApiPages<Item, Body extends Page<Item> = Page<Item>>(
  path: string | undefined,
  query: Query = {},
) {
  return useInfiniteQuery({
    queryKey: [...keyOf(path ?? '', query), 'pages'],
    queryFn: async ({ pageParam, signal }): Promise<Lagging<Body>> => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const request = { query: { ...query, ...cursor }, signal };
      const { body, headers } = await call<Body>(path ?? '', request);
      return { ...body, lag: Number(headers.get('x-projection-lag') ?? 0) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: path !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** A list with more pages is not read again by itself, because that would take a request per page. */
const maxRefreshedPages = 5;

/** Whether the data of a query is a list with too many pages to be read again for each change. */
export function isLongList(data: unknown): boolean {
  const { pages } = (data ?? {}) as Readonly<{ pages?: unknown }>;
  return Array.isArray(pages) && pages.length > maxRefreshedPages;
}

/** Sends a write, and then reads everything again that begins with one of the paths in `changes`. */
export function useWrite<Input, Body = unknown>(
  toRequest: (input: Input) => ApiRequest & Readonly<{ path: string }>,
  changes: readonly string[],
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => {
      const { path, ...request } = toRequest(input);
      return (await call<Body>(path, { method: 'POST', ...request })).body;
    },
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) => changes.some((path) => startsWith(queryKey, path)),
      }),
  });
}

/** Keys begin with the path, so that a change of a context makes all that is read below it stale. */
export function keyOf(path: string, query: Query): readonly unknown[] {
  return [path, query, currentWorkspace()];
}

export function startsWith([path]: readonly unknown[], prefix: string): boolean {
  return typeof path === 'string' && path.startsWith(prefix);
}
