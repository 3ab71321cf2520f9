import { LRUCache } from 'lru-cache';

import { type WaitingAttempt } from './waiting-attempt.js';

/** Attempts are remembered for this time: the worker that has just reported is about to claim the next one. */
const rememberMs = 2_000;
const maxRemembered = 1_000;

/** `until`: when it is forgotten, by the monotonic clock of this process. */
export type UnclaimedAttempt = Readonly<{
  workspace: string;
  attempt: WaitingAttempt;
  until: number;
}>;

export function unclaimed(workspace: string, attempt: WaitingAttempt): UnclaimedAttempt {
  return { workspace, attempt, until: performance.now() + rememberMs };
}

/** Attempts that were scheduled a moment ago and that no worker waited for. */
export class UnclaimedAttempts {
  readonly #attempts = new LRUCache<UnclaimedAttempt, true>({ max: maxRemembered });

  add(attempt: UnclaimedAttempt): void {
    this.#attempts.set(attempt, true);
  }

  /** Removes and returns all that are still to be offered, the oldest first. */
  takeAll(): readonly UnclaimedAttempt[] {
    const now = performance.now();
    const current = [...this.#attempts.rkeys()].filter(({ until }) => until >= now);
    this.#attempts.clear();
    return current;
  }
}
