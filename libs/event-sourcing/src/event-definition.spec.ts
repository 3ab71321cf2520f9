import { z } from 'zod';

import { EventRegistry, UndecodableEventError, defineEvent, upcast } from './event-definition.js';

const nameV1 = z.strictObject({ name: z.string() });
const nameV2 = z.strictObject({ first: z.string(), last: z.string() });
const nameV3 = z.strictObject({
  first: z.string(),
  last: z.string(),
  title: z.string().nullable(),
});

const renamed = defineEvent('Renamed', nameV3, {
  version: 3,
  upcasts: {
    1: upcast(nameV1, ({ name }) => {
      const [first = '', last = ''] = name.split(' ');
      return { first, last };
    }),
    2: upcast(nameV2, (old) => ({ ...old, title: null })),
  },
});
const forgotten = defineEvent('Forgotten', nameV2, { version: 2, upcasts: {} });
const noted = defineEvent('Noted', z.strictObject({ text: z.string() }));
const registry = new EventRegistry([renamed, forgotten, noted]);

const lovelace = { first: 'Ada', last: 'Lovelace', title: null };

describe('decoding a stored event', () => {
  test.each([
    ['of the current version', 3, lovelace],
    ['of the version before', 2, { first: 'Ada', last: 'Lovelace' }],
    ['of the first version, through every step', 1, { name: 'Ada Lovelace' }],
  ])('upcasts data %s', (_, schemaVersion, data) => {
    expect(registry.decode({ type: 'Renamed', schemaVersion, data })).toEqual({
      type: 'Renamed',
      data: lovelace,
    });
  });

  test('does not change the stored event', () => {
    const data = Object.freeze({ name: 'Ada Lovelace' });
    registry.decode({ type: 'Renamed', schemaVersion: 1, data });
    expect(data).toEqual({ name: 'Ada Lovelace' });
  });

  test.each([
    ['of a type nobody defines', stored('Unheard', 1, {}), /unknown event type "Unheard"/],
    ['of a type named like an object member', stored('__proto__', 1, {}), /unknown event type/],
    [
      'newer than the code',
      stored('Renamed', 4, lovelace),
      /has version 4, this code reads 1 to 3/,
    ],
    ['of version 0', stored('Renamed', 0, lovelace), /has version 0/],
    ['of no whole version', stored('Renamed', 1.5, lovelace), /has version 1.5/],
    [
      'that breaks its schema',
      stored('Noted', 1, { text: 7 }),
      /"Noted" breaks its schema: ✖ must be text/,
    ],
    ['with an unknown member', stored('Noted', 1, { text: '', x: 1 }), /breaks its schema/],
    ['that breaks its old schema', stored('Renamed', 1, { nom: 'Ada' }), /cannot be upcast from/],
    ['whose upcast is missing', stored('Forgotten', 1, {}), /has no upcast from version 1/],
  ])('refuses one %s', (_, event, message) => {
    const decode = () => registry.decode(event);
    expect(decode).toThrow(UndecodableEventError);
    expect(decode).toThrow(message);
  });

  test('names only the first places where an event violates its schema', () => {
    const listed = new EventRegistry([
      defineEvent('Listed', z.object({ list: z.array(z.string()) })),
    ]);
    const decode = (count: number) => () =>
      listed.decode(stored('Listed', 1, { list: Array.from({ length: count }, () => 1) }));
    expect(decode(10)).toThrow(/list\[9\]$/);
    expect(decode(12)).toThrow(/list\[9\]\n\(and 2 more\)$/);
    expect(decode(200_000)).toThrow(/list\[9\]\n\(and 199990 more\)$/);
  });

  test('keeps the cause of an upcast that fails', () => {
    const decode = () => registry.decode({ type: 'Renamed', schemaVersion: 1, data: null });
    expect(decode).toThrow(expect.objectContaining({ cause: expect.any(z.ZodError) }));
  });

  test('finds definitions by type', () => {
    expect(registry.find('Noted')).toBe(noted);
    expect(registry.find('Unheard')).toBeUndefined();
    expect(noted).toMatchObject({ version: 1, upcasts: {} });
  });
});

function stored(type: string, schemaVersion: number, data: unknown) {
  return { type, schemaVersion, data };
}
