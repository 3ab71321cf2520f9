import { useEffect } from 'react';

import { useApiPages } from './use-api.js';
import { type ListedPolicy } from './policy.js';

const pageSize = 100;

/** The policies of all audiences. A workspace has few, so all pages are read. */
export function usePolicies() {
  const list = useApiPages<ListedPolicy>('/v1/policies', { limit: pageSize });
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  return { list, policies: data?.pages.flatMap(({ items }) => items) };
}
