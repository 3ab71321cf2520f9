import * as fc from 'fast-check';

import { textParts } from './text-parts.js';
import { tokenizerNames, tokenizerOf } from './tokenizer.js';

const lines = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.string({ maxLength: 20 }),
    fc.constantFrom('', ' ', '/', '// a', '\r', '\t', '\u0085x', "'s", '{"a":1}', '123456', '日本'),
  ),
  { maxLength: 30 },
);

describe('parts of a text', () => {
  it('are the text, and their units add up to its', () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 40 }), (all, least) => {
        const text = all.join('\n');
        const parts = [...textParts(text, least)];
        expect(parts.join('')).toBe(text);
        expect(parts.slice(0, -1).every((part) => part.length >= least)).toBe(true);
        for (const name of tokenizerNames) {
          const { unitsOf } = tokenizerOf(name);
          expect(parts.reduce((sum, part) => sum + unitsOf(part), 0)).toBe(unitsOf(text));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are about as long as they should be where there are lines, and one where there are none', () => {
    const text = 'a line of some words\n'.repeat(1_000);
    const parts = [...textParts(text, 2_000)];
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(2_100);
    expect([...textParts('x'.repeat(9_000), 2_000)]).toHaveLength(1);
    expect([...textParts('', 2_000)]).toEqual([]);
  });
});
