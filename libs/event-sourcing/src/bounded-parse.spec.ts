import { z } from 'zod';

import { maxIssues, parseBounded } from './bounded-parse.js';

/** More than the arguments that a function accepts. */
const very = 200_000;
const many = (entry: unknown, count = very): unknown[] =>
  Array.from({ length: count }, () => entry);

describe('parsing a value of any size', () => {
  it('returns the same as zod if lists are short', () => {
    const schema = z.strictObject({ list: z.array(z.string()), id: z.int() });
    const value = { list: many(1, 900), id: 'x', other: 1 };
    const { success, issues, more } = Object(parseBounded(schema, value));
    expect([success, more]).toEqual([false, 0]);
    expect(issues).toEqual(schema.safeParse(value).error?.issues);
  });

  it('parses no member of a record that has too many members', () => {
    let visits = 0;
    const member = z.custom(() => ++visits > 0);
    const schema = z
      .custom<object>()
      .refine((members) => Object.keys(members).length <= 10)
      .pipe(z.record(z.string(), member));
    const members = (count: number) => Object.fromEntries(many(1, count).map((one, n) => [n, one]));
    expect(parseBounded(schema, members(10)).success).toBe(true);
    expect(visits).toBeGreaterThanOrEqual(10);
    visits = 0;
    expect(parseBounded(z.object({ named: schema }), { named: members(5_000) }).success).toBe(
      false,
    );
    expect(visits).toBe(0);
  });

  it('returns the same as zod for valid values with lists of any length', () => {
    const schema = z.object({ list: z.array(z.string().transform((text) => text.length)) });
    const { data } = Object(parseBounded(schema, { list: many('ab') }));
    expect(data.list).toHaveLength(very);
    expect(new Set(data.list)).toEqual(new Set([2]));
  });

  it.each([
    ['a list', z.array(z.string()), many(1), [7]],
    ['a list of texts that break a rule', z.array(z.string().min(1)), many(''), [7]],
    ['a member', z.object({ list: z.array(z.string()) }), { list: many(1) }, ['list', 7]],
    [
      'an optional member',
      z.object({ l: z.array(z.string()).optional() }),
      { l: many(1) },
      ['l', 7],
    ],
    ['a nullable member', z.object({ l: z.nullable(z.array(z.int())) }), { l: many('') }, ['l', 7]],
    ['what a pipe leads to', z.custom().pipe(z.array(z.string())), many(1), [7]],
    [
      'an object of a kind',
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('A'), list: z.array(z.string()) }),
        z.object({ type: z.literal('B'), list: z.array(z.int()) }),
      ]),
      { type: 'A', list: many(1) },
      ['list', 7],
    ],
    [
      'a record',
      z.record(z.string(), z.string()),
      Object.fromEntries(many(1).map((one, at) => [`k${at}`, one])),
      ['k7'],
    ],
    [
      'the keys of a record',
      z.record(z.string().max(1), z.string()),
      Object.fromEntries(many('').map((one, at) => [`k${at}`, one])),
      ['k7'],
    ],
  ])('reports the first issues of %s and counts the others', (_, schema, value, eighth) => {
    const { issues, more } = Object(parseBounded(schema, value));
    expect(issues).toHaveLength(maxIssues);
    expect(issues[7].path).toEqual(eighth);
    expect(more).toBe(very - maxIssues);
  });

  it('finds issues in nested lists', () => {
    const schema = z.object({ events: z.array(z.object({ names: z.array(z.string()) })).max(500) });
    const events = Array.from({ length: 500 }, () => ({ names: many(1, 500) }));
    const { issues, more } = Object(parseBounded(schema, { events }));
    expect(issues[7].path).toEqual(['events', 0, 'names', 7]);
    expect(issues.length + more).toBe(250_000);
  });

  it('finds issues outside the entries of long lists', () => {
    const schema = z.object({
      events: z.array(z.object({ id: z.int(), names: z.array(z.string()) })),
    });
    const value = { events: [{ id: 'x', names: many('a') }] };
    expect(parseBounded(schema, value)).toMatchObject({ issues: [{ path: ['events', 0, 'id'] }] });
  });

  it('accepts a long list in one alternative of a union', () => {
    const schema = z.union([z.array(z.string()), z.array(z.int())]);
    expect(parseBounded(schema, many(1))).toMatchObject({ success: true });
  });

  it('parses no entry of a list that is too long', () => {
    let looks = 0;
    const counted = z.custom(() => ++looks > 0);
    const { issues } = Object(
      parseBounded(z.object({ l: z.array(counted).max(10) }), { l: many(1) }),
    );
    expect(issues).toMatchObject([{ code: 'too_big', path: ['l'] }]);
    expect(looks).toBe(0);
  });

  it('parses every invalid entry once, and twice if it is reported', () => {
    const looksAt = (size: number) => {
      let looks = 0;
      const counted = z.custom(() => (looks += 1) < 0, 'is wrong');
      const schema = z.object({ rows: z.array(z.array(counted)) });
      parseBounded(schema, { rows: [many(1, size), many(1, size)] });
      return looks;
    };
    expect(looksAt(20_000)).toBe(40_000 + maxIssues);
    expect(looksAt(200_000)).toBe(400_000 + maxIssues);
  });

  it('accepts a recursive schema', () => {
    type Tree = { below?: Tree[] | undefined };
    const tree: z.ZodType<Tree> = z.lazy(() => z.strictObject({ below: z.array(tree).optional() }));
    expect(parseBounded(tree, { below: many({}, 2_000) })).toMatchObject({ success: true });
  });
});
