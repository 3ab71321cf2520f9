import { z } from 'zod';

import { knownMembers, nearestMember } from './known-members.js';

const decision = z.strictObject({ decision: z.string(), rationale: z.string().optional() });
const schema = z.strictObject({
  title: z.string(),
  list: z.array(z.strictObject({ inner: decision.nullable() })),
  byName: z.record(z.string(), z.strictObject({ count: z.int() })),
  either: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('A'), a: z.string() }),
    z.strictObject({ type: z.literal('B'), data: decision }),
  ]),
});

const tree: z.ZodType = z.lazy(() =>
  z.strictObject({ value: z.int(), children: z.array(tree).optional() }),
);

describe('the members that a schema knows', () => {
  it.each([
    [{}, [], ['title', 'list', 'byName', 'either']],
    [{ title: '' }, [], ['list', 'byName', 'either']],
    [{}, ['list', 3], ['inner']],
    [{}, ['list', 3, 'inner'], ['decision', 'rationale']],
    [{ list: [{ inner: { decision: 'd' } }] }, ['list', 0, 'inner'], ['rationale']],
    [{}, ['byName', 'any'], ['count']],
    [{}, ['either'], ['type', 'a', 'data']],
    [{ either: { type: 'B' } }, ['either'], ['data']],
    [{ either: { type: 'A', data: {} } }, ['either', 'data'], []],
    [{ either: { type: 'B' } }, ['either', 'data'], ['decision', 'rationale']],
    [{}, ['title'], []],
    [{}, ['nowhere', 'below'], []],
    [null, ['list', 3], ['inner']],
  ])('in %j at %j are %j', (value, path, names) => {
    expect(knownMembers(schema, value, path)).toEqual(names);
  });

  it('are found in recursive schemas', () => {
    const value = { children: [{ children: [{ value: 1 }] }] };
    expect(knownMembers(tree, value, ['children', 0, 'children', 0])).toEqual(['children']);
  });
});

const otherNames = { reasoning: ['rationale'], alternatives: ['alternativesConsidered'] };

describe('the known name that is similar to an unknown one', () => {
  const known = ['decisionId', 'rationale', 'alternativesConsidered', 'minLength', 'mustContain'];
  it.each([
    ['min_length', 'minLength'],
    ['MustContain', 'mustContain'],
    ['must-contain', 'mustContain'],
    ['reasoning', 'rationale'],
    ['alternatives', 'alternativesConsidered'],
    ['rational', 'rationale'],
    ['ratoinale', 'rationale'],
    ['decisonId', 'decisionId'],
    ['timestamp', undefined],
    ['x', undefined],
    ['__proto__', undefined],
    ['constructor', undefined],
    ['rationale'.repeat(10_000), undefined],
  ])('for %.20s is %s', (name, expected) => {
    expect(nearestMember(name, known, otherNames)).toBe(expected);
  });

  it('is a name that the schema has there, and never the name itself', () => {
    expect(nearestMember('reasoning', ['decisionId'], otherNames)).toBeUndefined();
    expect(nearestMember('rationale', ['rationale'])).toBeUndefined();
  });
});
