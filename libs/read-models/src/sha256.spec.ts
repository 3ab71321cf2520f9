import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { sha256 } from './sha256.js';

describe('sha256', () => {
  it('hashes every text like stored chains, including lone surrogates', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.integer({ min: 0xd800, max: 0xdfff }),
        (text, unit) => {
          const full = text + String.fromCharCode(unit);
          expect(sha256(full)).toBe(createHash('sha256').update(full).digest('hex'));
        },
      ),
    );
  });
});
