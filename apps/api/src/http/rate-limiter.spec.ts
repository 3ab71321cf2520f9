import { RateLimiter } from './rate-limiter.js';

describe('the rate limiter', () => {
  it('allows the rate of a key, refuses further requests, and refills evenly', () => {
    let now = 0;
    const limiter = new RateLimiter(60, () => now);
    for (let at = 0; at < 60; at++) limiter.take('k');
    expect(() => limiter.take('k')).toThrow(/60 requests a minute/);
    now += 2000;
    limiter.take('k');
    limiter.take('k');
    expect(() => limiter.take('k')).toThrow();
    limiter.take('other');
  });

  it('drops only the least recently used key if there are too many', () => {
    const limiter = new RateLimiter(1, () => 0);
    limiter.take('first');
    limiter.take('second');
    expect(() => limiter.take('first')).toThrow();
    for (let at = 0; at < 9_999; at++) limiter.take(`k${at}`);
    expect(() => limiter.take('first')).toThrow();
    limiter.take('second');
  });

  it('does not limit the root key', () => {
    const limiter = new RateLimiter(1);
    for (let at = 0; at < 10; at++) limiter.take(null);
    limiter.take('k');
    expect(() => limiter.take('k')).toThrow();
  });
});
