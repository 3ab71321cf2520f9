import {
  type UseQueryResult,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';

import { currentWorkspace } from '../navigation/location.js';
import { type ApiRequest, type ApiResponse, type Query, call } from './client.js';

export type Page<Item> = Readonly<{ items: readonly Item[]; nextCursor: string | null }>;

/** `lag`: the number of events that the rows of the page do not include yet. */
export type LaggingPage<Item> = Page<Item> & Readonly<{ lag: number }>;

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

/** Reads a list page by page. */
export function useApiPages<Item>(path: string | undefined, query: Query = {}) {
  return useInfiniteQuery({
    queryKey: [...keyOf(path ?? '', query), 'pages'],
    queryFn: async ({ pageParam, signal }): Promise<LaggingPage<Item>> => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const request = { query: { ...query, ...cursor }, signal };
      const { body, headers } = await call<Page<Item>>(path ?? '', request);
      return { ...body, lag: Number(headers.get('x-projection-lag') ?? 0) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: path !== undefined,
    placeholderData: keepPreviousData,
  });
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
