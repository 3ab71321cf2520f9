import fc from 'fast-check';

import { jsonObject, jsonValue } from '#testing';

import { containsJson } from './contains-json.js';
import { harmlessJson } from './harmless-json.js';
import { UnsearchedMemberError, splitPattern } from './search-pattern.js';

describe('splitPattern', () => {
  it('returns the parts that single items must contain', () => {
    expect(
      splitPattern({
        title: 'T',
        metadata: { team: 'core' },
        status: 'open',
        stepOutputs: { plan: { files: ['a'] }, build: null },
        decisionHistory: [{ topic: 'db', live: true }, {}],
        dependencies: { external: [{ name: 'x' }], blockers: [] },
      }),
    ).toEqual([
      { title: 'T', metadata: { team: 'core' } },
      { status: 'open' },
      { stepOutputs: { plan: { files: ['a'] } } },
      { stepOutputs: { build: null } },
      { decisionHistory: [{ topic: 'db', live: true }] },
      { decisionHistory: [{}] },
      { dependencies: { external: [{ name: 'x' }] } },
    ]);
  });

  it('returns no part for a collection without entries', () => {
    expect(splitPattern({ stepOutputs: {}, decisionHistory: [], dependencies: {} })).toEqual([]);
  });

  it('preserves parts that no document can contain', () => {
    const pattern = { stepOutputs: [1], decisionHistory: {}, dependencies: { other: [] } };
    expect(splitPattern(pattern)).toEqual([
      { stepOutputs: [1] },
      { decisionHistory: {} },
      { dependencies: { other: [] } },
    ]);
  });

  it.each([
    [{ currentState: {} }, 'currentState'],
    [{ toString: 1 }, 'toString'],
    [{ ['__proto__']: 1 }, '__proto__'],
    [{ decisionHistory: [{ stale: true }] }, 'stale'],
  ])('rejects %j and names the member that is not searched', (pattern, member) => {
    // A computed property name sets a member of any name.
    const own = JSON.parse(JSON.stringify(pattern));
    expect(() => splitPattern(own)).toThrow(UnsearchedMemberError);
    expect(() => splitPattern(own)).toThrow(`"${member}"`);
  });
});

describe('containsJson', () => {
  it('follows the rules of PostgreSQL', () => {
    expect(containsJson([1, [2, 3], { a: 1 }], [[3], 1, 1])).toBe(true);
    expect(containsJson({ a: ['x'] }, { a: 'x' })).toBe(false);
    expect(containsJson({ a: null }, { a: {} })).toBe(false);
    expect(containsJson({}, JSON.parse('{"__proto__":{}}'))).toBe(false);
  });

  it('is true of every value and itself', () => {
    fc.assert(fc.property(jsonValue, (value) => containsJson(value, value)));
  });
});

describe('harmlessJson', () => {
  it('returns well-formed text without NUL that differs for different values', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (left, right) => {
        const text = harmlessJson(left);
        expect(text.isWellFormed() && !/\\u0000|\\ud[89a-f]/.test(text)).toBe(true);
        expect(() => JSON.parse(text)).not.toThrow();
        expect(text === harmlessJson(right)).toBe(JSON.stringify(left) === JSON.stringify(right));
      }),
    );
  });

  it('distinguishes long strings, and confuses none with a digest', () => {
    const long = 'x'.repeat(100_000);
    expect(harmlessJson({ output: long }).length).toBeLessThan(100);
    const alike = [`${long}\ud800`, `${long}\ud801`, `${long}\0`, long, `${long}y`];
    const digests = alike.map((text) => harmlessJson([text]));
    const looksLikeOne = digests.map((text) => JSON.parse(text)[0]);
    const all = [...digests, ...looksLikeOne.map((text) => harmlessJson([text]))];
    expect(new Set(all).size).toBe(2 * alike.length);
    expect(harmlessJson(['x'.repeat(40)])).toBe(JSON.stringify(['x'.repeat(40)]));
  });

  it('does not change text that only looks like an escape', () => {
    const text = '\\u0000 \\\\ud800';
    expect(JSON.parse(harmlessJson(text))).toBe(text);
    expect(harmlessJson(['\uffff0000', '\0'])).toBe('["\uffffffff0000","\uffff0000"]');
  });
});
