import { useEffect } from 'react';

import { apiPath } from '../../api/client.js';
import { useApiPages } from '../../api/use-api.js';
import { type Decision } from './decision.js';

/** Decisions that one request reads. */
const pageSize = 500;

/** All decisions of a context, page after page. `asOf`: the version to read; undefined for the newest. */
export function useDecisions(contextId: string, asOf?: number) {
  const list = useApiPages<Decision>(apiPath('contexts', contextId, 'decisions'), {
    limit: pageSize,
    asOf,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return { list, decisions: list.data?.pages.flatMap(({ items }) => items) };
}
