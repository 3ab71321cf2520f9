import { z } from 'zod';

import { inWords } from './issue-wording.js';

/** Messages in the wording of the schema library. */
const raw =
  /invalid (input|option|type|key|element)|unrecognized|expected|received|too (big|small)/i;

const refusals: readonly (readonly [z.ZodType, unknown, string])[] = [
  [z.string(), undefined, 'is required'],
  [z.string(), null, 'must be text'],
  [z.number(), '1', 'must be a number'],
  [z.number(), NaN, 'must be a number'],
  [z.number(), Infinity, 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.int(), 2 ** 60, 'must be at most 9007199254740991'],
  [z.boolean(), 'true', 'must be true or false'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.object({}), 1, 'must be an object'],
  [z.strictObject({ a: z.int(), b: z.int().optional() }), 1, 'must be an object with a'],
  [z.object({ a: z.int(), b: z.int(), c: z.int() }), 1, 'must be an object with a, b and c'],
  [
    z.object({ a: z.int(), b: z.int(), c: z.int(), d: z.int(), e: z.int() }),
    1,
    'must be an object',
  ],
  [z.record(z.string(), z.string()), [], 'must be an object'],
  [z.map(z.string(), z.string()), [], 'must be an object'],
  [z.never(), 1, 'must be left out'],
  [z.null(), 1, 'must be null'],
  [z.strictObject({}), { a: 1 }, 'is not known here'],
  [z.literal('a'), 'b', 'must be "a"'],
  [z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
  [z.union([z.string(), z.number()]), true, 'must be text, or must be a number'],
  [z.string().min(2), 'a', 'must be at least 2 characters'],
  [z.string().max(1), 'ab', 'must be at most 1 character'],
  [z.array(z.any()).min(1), [], 'must be at least 1 entry'],
  [z.number().gt(0), 0, 'must be more than 0'],
  [z.number().lt(1), 1, 'must be less than 1'],
  [z.number().multipleOf(5), 3, 'must be a multiple of 5'],
  [z.string().regex(/^a$/), 'b', 'must match /^a$/'],
  [
    z.iso.datetime({ offset: true }),
    'today',
    'must be a time in RFC 3339 with an offset, such as 2026-01-31T12:00:00Z',
  ],
  [z.uuid(), 'a', 'must be a UUID'],
  [z.url(), 'a', 'must be a URL'],
  [z.base64url(), '=', 'must be text of the form "base64url"'],
  [z.string().startsWith('a'), 'b', 'must be text of the form "starts_with"'],
  [z.custom(() => false), 1, 'is not allowed here: see the reference for the allowed values'],
  [
    z.string().refine(() => false),
    'a',
    'is not allowed here: see the reference for the allowed values',
  ],
  [z.string().refine(() => false, 'must be its own'), 'a', 'must be its own'],
];

describe('a schema violation', () => {
  it.each(refusals)(
    'is described in the wording of Tetrorchestra, not of zod (%#)',
    (schema, value, detail) => {
      const messages = schema.safeParse(value, inWords).error?.issues.map(({ message }) => message);
      expect(messages).toEqual([detail]);
      expect(detail).not.toMatch(raw);
    },
  );
});
