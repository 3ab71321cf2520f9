import fc from 'fast-check';

import { PairQueue } from './pair-queue.js';

const places = 24;

describe('a queue of pairs', () => {
  it('returns the pair of the lowest rank first, and of equals the leftmost one, after any changes', () => {
    const place = fc.nat(places - 1);
    const step = fc.oneof(
      fc.record({ put: place, rank: fc.nat(5) }),
      fc.record({ remove: place }),
      fc.record({ take: fc.constant(true) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const queue = new PairQueue(places);
        const ranks = new Map<number, number>();
        const first = () =>
          [...ranks].sort(([a, rank], [b, other]) => rank - other || a - b).at(0)?.[0];
        const take = () => {
          const expected = first();
          expect(queue.take()).toBe(expected);
          if (expected !== undefined) ranks.delete(expected);
        };
        for (const each of steps)
          if ('take' in each) take();
          else if ('remove' in each) {
            queue.remove(each.remove);
            ranks.delete(each.remove);
          } else {
            queue.put(each.put, each.rank);
            ranks.set(each.put, each.rank);
          }
        for (let left = ranks.size; left >= 0; left -= 1) take();
      }),
      { numRuns: 500 },
    );
  });
});
