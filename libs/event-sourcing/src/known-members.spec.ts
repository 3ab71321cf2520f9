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

describe('the members that a schema knows', () => {
  it.each([
    [[], ['title', 'list', 'byName', 'either']],
    [['list', 3], ['inner']],
    [
      ['list', 3, 'inner'],
      ['decision', 'rationale'],
    ],
    [['byName', 'any'], ['count']],
    [['either'], ['type', 'a', 'data']],
    [
      ['either', 'data'],
      ['decision', 'rationale'],
    ],
    [['title'], []],
    [['nowhere', 'below'], []],
  ])('at %j are %j', (path, names) => {
    expect(knownMembers(schema, path)).toEqual(names);
  });
});

describe('the known name that is near another one', () => {
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
    expect(nearestMember(name, known)).toBe(expected);
  });

  it('is one that the schema has there', () => {
    expect(nearestMember('reasoning', ['decisionId'])).toBeUndefined();
  });
});
