import { z } from 'zod';

import { inputRuleFaults, isVisible, visibleText, withInputRule } from './input-rules.js';

const text = withInputRule(z.string().min(1), visibleText);
const id = withInputRule(z.string(), {
  always: true,
  fault: (value) => (value === '.' ? 'choose another' : undefined),
});

function placesIn(schema: z.ZodType, value: unknown): string[] {
  expect(schema.safeParse(value).success).toBe(true);
  return inputRuleFaults(schema, value).faults.map(({ path }) => path.join('/'));
}

describe('input that clients may not send', () => {
  it.each<[string, z.ZodType, unknown, string[]]>([
    ['a text itself', text, ' ', ['']],
    ['a text with further checks', text.max(9).refine(() => true), ' ', ['']],
    ['a described text', text.meta({ description: 'd' }), ' ', ['']],
    ['a member', z.strictObject({ a: text }), { a: ' ' }, ['a']],
    ['an optional text', z.strictObject({ a: text.optional() }), { a: ' ' }, []],
    ['an optional id', z.strictObject({ a: id.nullable().optional() }), { a: '.' }, ['a']],
    ['no id at all', z.strictObject({ a: id.nullable().optional() }), { a: null }, []],
    ['entries that are texts', z.array(text), [' '], []],
    ['entries that are ids', z.array(id), ['a', '.'], ['1']],
    ['members of entries', z.array(z.object({ a: text })), [{ a: 'a' }, { a: ' ' }], ['1/a']],
    [
      'members of what is optional',
      z.object({ a: z.object({ b: text }).optional() }),
      { a: { b: ' ' } },
      ['a/b'],
    ],
    [
      'one of several kinds',
      z.union([z.array(z.string()), z.object({ a: text })]),
      { a: ' ' },
      ['a'],
    ],
    [
      'what its discriminator says',
      z.discriminatedUnion('k', [
        z.object({ k: z.literal('x'), a: z.string() }),
        z.object({ k: z.literal('y'), a: text }),
      ]),
      { k: 'y', a: ' ' },
      ['a'],
    ],
    ['texts without a rule', z.object({ a: z.string(), b: z.custom() }), { a: ' ', b: ' ' }, []],
    [
      'an object made larger',
      z.object({ a: text }).safeExtend({ b: id }),
      { a: ' ', b: '.' },
      ['a', 'b'],
    ],
  ])('is found in %s', (_, schema, value, places) => {
    expect(placesIn(schema, value)).toEqual(places);
  });

  it.each<[string, z.ZodType]>([
    ['texts', z.array(text)],
    ['optional texts', z.array(text.max(9).optional())],
    ['lists of texts', z.array(z.array(text))],
    ['objects without a rule', z.array(z.object({ a: z.string(), b: z.array(text) }))],
  ])('is not searched for in entries to which no rule applies: %s', (_, schema) => {
    const untouched = new Proxy([], {
      get: () => {
        throw new Error('an entry was looked at');
      },
    });
    expect(inputRuleFaults(schema, untouched)).toEqual({ faults: [], more: 0 });
  });

  it('is reported in the first hundred places and counted in the others', () => {
    const { faults, more } = inputRuleFaults(z.array(id), Array<string>(250).fill('.'));
    expect([faults.length, more]).toEqual([100, 150]);
    expect([faults[0]?.path, faults[99]?.path]).toEqual([[0], [99]]);
  });

  it('is found in recursive schemas', () => {
    const tree: z.ZodType = z.object({ a: id, list: z.array(z.lazy(() => tree)).optional() });
    const value = { a: 'a', list: [{ a: '.' }, { a: 'b', list: [{ a: '.' }] }] };
    expect(placesIn(tree, value)).toEqual(['list/0/a', 'list/1/list/0/a']);
  });

  it.each([
    '',
    ' ',
    '\t\n',
    '\u00a0\u2003',
    '\u200b\ufeff',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\u0000',
  ])('includes a text without visible characters: %j', (hidden) =>
    expect([isVisible(hidden), isVisible(`${hidden}a${hidden}`)]).toEqual([false, true]),
  );

  it.each(['a', '…', '0', 'ж', '漢', '😀', ' . '])(
    'does not include a text with visible characters: %j',
    (seen) => expect(isVisible(seen)).toBe(true),
  );
});
