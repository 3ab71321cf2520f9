import { LRUCache } from 'lru-cache';

import { ProblemError } from '../problems/problem.error.js';

const windowMs = 60_000;
const maxBuckets = 10_000;

type Bucket = { tokens: number; at: number };

/** A token bucket per key with `perMinute` (at least 1) requests a minute, refilled evenly. The root key is not limited. */
export class RateLimiter {
  /** Drops the least recently used key first: its bucket is most likely full, like a new one. */
  readonly #buckets = new LRUCache<string, Bucket>({ max: maxBuckets });

  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Throws `rate-limited` if the key has used up its rate. */
  take(keyId: string | null): void {
    if (keyId === null) return;
    const bucket = this.#refilled(keyId);
    if (bucket.tokens < 1)
      throw new ProblemError(
        'rate-limited',
        `this key may send ${this.perMinute} requests a minute`,
      );
    bucket.tokens--;
  }

  #refilled(keyId: string): Bucket {
    const now = this.now();
    const bucket = this.#buckets.get(keyId) ?? { tokens: this.perMinute, at: now };
    const refill = ((now - bucket.at) * this.perMinute) / windowMs;
    bucket.tokens = Math.min(this.perMinute, bucket.tokens + refill);
    bucket.at = now;
    this.#buckets.set(keyId, bucket);
    return bucket;
  }
}
