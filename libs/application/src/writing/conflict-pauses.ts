import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { type ContextId, contextStream } from '#shared-context';

type Conflicts = Readonly<{ count: number; at: number }>;

/** The half-life of the conflict count of a context. */
const halfLifeMs = 2_000;
/** The time for one read and one write without a conflict, for each competing writer. */
const slotMs = 30;
const [shortestMeanMs, longestMeanMs] = [50, 5_000];
const maxContexts = 1_000;

/**
 * Computes how long a writer should wait after a failed condition before it decides again. The pauses are spread over a
 * time in proportion to the number of writers, so that most writers meet no other one.
 */
@Injectable()
export class ConflictPauses {
  /** By stream. */
  readonly #contexts = new LRUCache<string, Conflicts>({ max: maxContexts });

  /**
   * Counts one more conflict of the context and returns the pause in milliseconds. `now` is in milliseconds, `random`
   * from 0 to 1.
   */
  next(id: ContextId, now = performance.now(), random = Math.random()): number {
    const stream = contextStream(id);
    const { count, at } = this.#contexts.get(stream) ?? { count: 0, at: now };
    const conflicts = { count: count * 2 ** ((at - now) / halfLifeMs) + 1, at: now };
    this.#contexts.set(stream, conflicts);
    const meanMs = Math.min(Math.max(conflicts.count * slotMs, shortestMeanMs), longestMeanMs);
    return Math.round(2 * meanMs * random);
  }
}
