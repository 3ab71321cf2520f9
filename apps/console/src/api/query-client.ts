import { QueryClient } from '@tanstack/react-query';

import { Problem } from './problem.js';

/** The one cache of the console. Live streams mark what has changed as stale. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && isTemporary(error),
      refetchOnWindowFocus: true,
    },
  },
});

function isTemporary(error: unknown): boolean {
  return error instanceof Problem && (error.status === 0 || error.status >= 500);
}
