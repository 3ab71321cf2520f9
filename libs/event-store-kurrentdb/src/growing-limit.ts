import { type Position } from '#event-sourcing';

import { SearchLostError } from './log-head.js';

const longestLimitMs = 3_600_000;

/**
 * A search that goes on after its caller has left, with a limit: a server may lose it. Over a large log it takes its time,
 * so each search that was lost gives the next one twice as long. Throws {@link SearchLostError} at the limit.
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
      throw new SearchLostError('KurrentDB has not found our newest event', { cause: error });
    }
  };
}
