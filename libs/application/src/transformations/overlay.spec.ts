import fc from 'fast-check';

import { type JsonValue } from '#event-sourcing';
import { jsonValue } from '#testing';

import { Overlay } from './overlay.js';

/** The simple implementation: copies every object on the path each time. */
function withValueAt(
  value: JsonValue | undefined,
  [name, ...rest]: readonly string[],
  put: JsonValue,
): JsonValue {
  if (name === undefined) return put;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const object = isObject ? value : {};
  const inner = Object.entries(object).find(([each]) => each === name)?.[1];
  return { ...object, [name]: withValueAt(inner, rest, put) };
}

const path = fc.array(fc.constantFrom('a', 'b', '__proto__'), { maxLength: 3 });

describe('an overlay', () => {
  it('returns the placed values, and leaves the original value unchanged', () => {
    const puts = fc.array(fc.tuple(path, jsonValue), { maxLength: 8 });
    fc.assert(
      fc.property(jsonValue, puts, (value, entries) => {
        const before = JSON.stringify([value, entries]);
        const overlay = new Overlay(value);
        let expected: JsonValue | undefined = value;
        for (const [names, put] of entries) {
          overlay.put(names, put);
          expected = withValueAt(expected, names, put);
        }
        expect(JSON.stringify(overlay.value)).toBe(JSON.stringify(expected));
        expect(JSON.stringify([value, entries])).toBe(before);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([1_000, 2_000])(
    'copies an object of %d members once for all values that it adds',
    (size) => {
      let read = 0;
      const members = Object.fromEntries(Array.from({ length: size }, (_, at) => [`m${at}`, at]));
      const counted = new Proxy(members, {
        get: (target, name, receiver) => {
          read += 1;
          return Reflect.get(target, name, receiver);
        },
      });
      let steps = 0;
      const overlay = new Overlay({ counted }, (taken) => (steps += taken));
      for (let at = 0; at < 200; at++) overlay.put(['counted', `other${at}`], at);
      expect([read, steps]).toEqual([size, 2 * (size + 1)]);
    },
  );
});
