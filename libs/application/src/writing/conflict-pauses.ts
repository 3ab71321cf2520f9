import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { type ContextId, contextStream } from '#shared-context';

type Conflicts = Readonly<{ count: number; at: number }>;

/** Half of the conflicts of a context are forgotten after this. */
const halfLifeMs = 2_000;
/** So much time for each writer that collides: a read, and a write that nobody comes before. */
const slotMs = 30;
const [shortestMeanMs, longestMeanMs] = [50, 5_000];
const maxContexts = 1_000;

/**
 * How long writers whose condition failed should wait before they decide again. They come back spread over a time in
 * proportion to their number, so that most find nobody in between.
 */
@Injectable()
export class ConflictPauses {
  /** By stream. */
  readonly #contexts = new LRUCache<string, Conflicts>({ max: maxContexts });

  /** In milliseconds; counts one more conflict of the context. `now` is in milliseconds, `random` from 0 to 1. */
  next(id: ContextId, now = performance.now(), random = Math.random()): number {
    const stream = contextStream(id);
    const { count, at } = this.#contexts.get(stream) ?? { count: 0, at: now };
    const conflicts = { count: count * 2 ** ((at - now) / halfLifeMs) + 1, at: now };
    this.#contexts.set(stream, conflicts);
    const meanMs = Math.min(Math.max(conflicts.count * slotMs, shortestMeanMs), longestMeanMs);
    return Math.round(2 * meanMs * random);
  }
}
