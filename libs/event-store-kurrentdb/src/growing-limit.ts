import { type Position } from '#event-sourcing';

import { SearchLostError } from './log-head.js';

const longestLimitMs = 3_600_000;

/**
 * A search with a limit that continues after its caller has left, since a server may lose it. In a large log it may
 * take long, so that each lost search doubles the limit of the next one. Throws {@link SearchLostError} at the limit.
 */
export function withGrowingLimit(
  search: (limit: AbortSignal) => Promise<Position | undefined>,
  firstLimitMs: number,
): () => Promise<Position | undefined> {
  let limitMs = firstLimitMs;
  return async () => {
    const limit = AbortSignal.timeout(limitMs);
    try {
      return await search(limit);
    } catch (error) {
      if (!limit.aborted) throw error;
      limitMs = Math.min(2 * limitMs, longestLimitMs);
      throw new SearchLostError('KurrentDB has not found the newest event of the namespace', {
        cause: error,
      });
    }
  };
}
