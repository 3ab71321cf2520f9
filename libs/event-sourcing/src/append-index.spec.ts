import fc from 'fast-check';

import { findAppendIndex, withAppendIndex } from './append-index.js';

const places = fc
  .integer({ min: 2, max: 4_096 })
  .chain((count) => fc.tuple(fc.constant(count), fc.integer({ min: 0, max: count - 1 })));

describe('the id of an event', () => {
  it('states the number of the event within its write and the size of the write', () => {
    fc.assert(
      fc.property(fc.uuid({ version: [4, 5, 7] }), places, (id, [count, index]) => {
        const eventId = withAppendIndex(id, { index, count });
        expect(findAppendIndex(eventId)).toEqual({ index, following: count - 1 - index });
        expect(eventId).toHaveLength(id.length);
        const ofOther = withAppendIndex(id, { index: (index + 1) % count, count });
        expect(ofOther).not.toBe(eventId);
      }),
    );
  });

  it('states nothing if the event is the only one of its write, or was stored before ids stated it', () => {
    fc.assert(
      fc.property(fc.uuid({ version: [1, 4, 5, 7] }), (id) => {
        expect(withAppendIndex(id, { index: 0, count: 1 })).toBe(id);
        expect(withAppendIndex(id, { index: 0, count: 4_097 })).toBe(id);
        expect(findAppendIndex(id)).toBeUndefined();
      }),
    );
  });

  it('keeps its random part, in the byte layout that is stored permanently', () => {
    const id = '019a1b2c-3d4e-7f56-b789-0123456789ab';
    expect(withAppendIndex(id, { index: 2, count: 500 })).toBe(
      '019a1b2c-3d4e-8002-b1f1-0123456789ab',
    );
  });
});
