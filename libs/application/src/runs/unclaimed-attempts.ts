import { LRUCache } from 'lru-cache';

import { type WaitingAttempt } from './waiting-attempt.js';

/** How long attempts are cached: a worker that has just reported will soon claim the next one. */
const cacheMs = 2_000;
const maxCached = 1_000;

/** `until`: when the entry expires, on the monotonic clock of this process. */
export type UnclaimedAttempt = Readonly<{
  workspace: string;
  attempt: WaitingAttempt;
  until: number;
}>;

export function unclaimed(workspace: string, attempt: WaitingAttempt): UnclaimedAttempt {
  return { workspace, attempt, until: performance.now() + cacheMs };
}

/** Attempts that were just scheduled and for which no worker waited. */
export class UnclaimedAttempts {
  readonly #attempts = new LRUCache<UnclaimedAttempt, true>({ max: maxCached });

  add(attempt: UnclaimedAttempt): void {
    this.#attempts.set(attempt, true);
  }

  /** Removes all attempts, and returns the unexpired ones, the oldest first. */
  takeAll(): readonly UnclaimedAttempt[] {
    const now = performance.now();
    const current = [...this.#attempts.rkeys()].filter(({ until }) => until >= now);
    this.#attempts.clear();
    return current;
  }
}
