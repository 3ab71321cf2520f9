import { z } from 'zod';

import { ProblemError } from '../problems/problem.error.js';
import { findProblem, toProblem } from '../problems/to-problem.js';
import { parseInput } from './parse-input.js';

function refusalOf(schema: z.ZodType, value: unknown) {
  try {
    parseInput(schema, value, ['at']);
  } catch (error) {
    if (error instanceof ProblemError) return toProblem(findProblem(error), '/');
  }
  throw new Error('the value was accepted');
}

describe('input that violates its schema', () => {
  const kinds = z.discriminatedUnion('type', [
    z.object({ type: z.literal('A') }),
    z.object({ type: z.literal('B') }),
  ]);
  it.each([
    [z.string(), undefined, 'is required'],
    [z.string(), 1, 'must be text'],
    [z.object({}), [], 'must be an object'],
    [z.boolean(), 'true', 'must be true or false'],
    [z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
    [z.literal('all'), 'c', 'must be "all"'],
    [z.number().max(1), 2, 'must be at most 1'],
    [z.string().min(1), '', 'must be at least 1 character'],
    [z.array(z.unknown()).max(500), Array.from({ length: 501 }), 'must be at most 500 entries'],
    [z.string().regex(/^a$/, 'must be a'), 'b', 'must be a'],
    [z.string().regex(/^a$/), 'b', 'must match /^a$/'],
    [z.uuid(), 'b', 'must be a UUID'],
    [z.int().multipleOf(5), 3, 'must be a multiple of 5'],
    [z.union([z.string(), z.number()]), true, 'must be text, or must be a number'],
    [
      z.record(z.string().min(2, 'must have two characters'), z.unknown()),
      { a: 1 },
      'has a name that is not allowed: it must have two characters',
      '/at/a',
    ],
  ])('is refused with a readable message (%#)', (schema, value, detail, pointer = '/at') => {
    expect(refusalOf(schema, value).errors).toEqual([{ pointer, detail }]);
  });

  it('is refused with the list of known kinds', () => {
    expect(refusalOf(kinds, { type: 'C' }).errors).toEqual([
      { pointer: '/at/type', detail: 'must be one of "A", "B"' },
    ]);
  });

  it('is refused with the known member that is similar to the unknown one', () => {
    const decision = z.strictObject({ decision: z.string(), rationale: z.string().optional() });
    const schema = z.strictObject({ list: z.array(decision) });
    const sent = { list: [{ decision: 'd', reasoning: 'r', whatever: 1 }] };
    expect(refusalOf(schema, sent).errors).toEqual([
      {
        pointer: '/at/list/0/reasoning',
        detail: 'is not known here: did you mean "rationale"?',
        suggestion: 'rationale',
      },
      {
        pointer: '/at/list/0/whatever',
        detail: 'is not known here; known members: rationale',
      },
    ]);
  });

  it('is refused with the advice to omit an unknown member if none is known', () => {
    const detail = 'is not known here: leave it out';
    expect(refusalOf(z.strictObject({}), { a: 1 }).errors).toEqual([{ pointer: '/at/a', detail }]);
  });

  it('is refused with few pointers if they contain a very long member name', () => {
    const name = 'n'.repeat(60_000);
    const members = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`${name}${n}`, n]));
    const { errors = [], moreErrors } = refusalOf(z.strictObject({}), members);
    expect([errors.length, moreErrors]).toEqual([2, 78]);
  });

  it('is refused with the first 100 faults of a list of 130,000', () => {
    const problem = refusalOf(z.object({ list: z.array(z.string()) }), {
      list: Array.from({ length: 130_000 }, () => 1),
    });
    expect(problem.errors).toHaveLength(100);
    expect(problem.errors?.[99]).toEqual({ pointer: '/at/list/99', detail: 'must be text' });
    expect(problem.moreErrors).toBe(129_900);
    expect(problem.detail).toBe('/at/list/0: must be text (and 129999 more)');
  });

  it('is refused with the first 100 faults and the number of further ones', () => {
    const members = Object.fromEntries(Array.from({ length: 80_000 }, (_, n) => [`m${n}`, n]));
    const problem = refusalOf(z.strictObject({ known: z.string() }), members);
    expect(problem.errors).toHaveLength(100);
    expect(problem.errors?.[0]).toEqual({ pointer: '/at/known', detail: 'is required' });
    const detail = 'is not known here; known members: known';
    expect(problem.errors?.[99]).toEqual({ pointer: '/at/m98', detail });
    expect(problem.moreErrors).toBe(79_901);
    expect(problem.detail).toBe('/at/known: is required (and 80000 more)');
  });
});
