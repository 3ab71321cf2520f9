import fc from 'fast-check';

import { jsonValue } from '#testing';

import { textWithin } from './value-text.js';

describe('the text of a value', () => {
  const value = fc.oneof(
    jsonValue,
    fc.array(fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))),
  );

  it('is undefined if and only if it has more characters than allowed', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: -2, max: 2 }), (any, more) => {
        const text = typeof any === 'string' ? any : JSON.stringify(any);
        expect(textWithin(any, text.length + more)).toBe(more < 0 ? undefined : text);
      }),
      { numRuns: 2_000 },
    );
  });
});
