import fc from 'fast-check';

import { encodedSize } from './event-store.js';

const eventId = '0190a5c8-7f3b-7d4e-9a10-000000000001';

describe('the encoded size of an event', () => {
  test('is data and metadata in UTF-8 bytes and the type twice', () => {
    // Any UTF-16 units, so that surrogates come in pairs, alone and in the wrong order.
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
      fc.array(fc.constantFrom('\ud83e', '\udd89', 'é', '流', 'a')).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, text, text, (data, metadata, type) => {
        expect(encodedSize({ eventId, type, data, metadata })).toBe(
          Buffer.byteLength(data) + Buffer.byteLength(metadata) + 2 * type.length,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
