import fc from 'fast-check';

import { holds } from './text-search.js';

describe('searching a text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 400 });

  it('finds the same as JavaScript in texts of any length', () => {
    fc.assert(
      fc.property(text, text, text, (before, part, behind) => {
        expect(holds(`${before}${part}${behind}`, part)).toBe(true);
        expect(holds(before, part)).toBe(before.includes(part));
        expect(holds(`${before}c${behind}`, part)).toBe(`${before}c${behind}`.includes(part));
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads every character of both texts at most a few times', () => {
    const looks = (length: number) => {
      const charCodeAt = String.prototype.charCodeAt;
      let looked = 0;
      String.prototype.charCodeAt = function (this: string, at: number) {
        looked += 1;
        return charCodeAt.call(this, at);
      };
      try {
        const half = 'a'.repeat(length / 4);
        expect(holds('a'.repeat(length), `${half}b${half}`)).toBe(false);
      } finally {
        String.prototype.charCodeAt = charCodeAt;
      }
      return looked;
    };
    const [small, large] = [looks(4_000), looks(8_000)];
    expect(small).toBeGreaterThan(4_000);
    expect(small).toBeLessThanOrEqual(8 * 4_000);
    expect(large).toBeLessThanOrEqual(2.1 * small);
  });
});
