import fc from 'fast-check';

import { jsonObject, jsonValue } from '#testing';

import { containsJson } from './contains-json.js';
import { harmlessJson } from './harmless-json.js';
import { UnsearchedMemberError, splitPattern } from './search-pattern.js';

describe('a pattern', () => {
  it('is divided into what single items must contain', () => {
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

  it('asks nothing of a collection where it says nothing about an entry', () => {
    expect(splitPattern({ stepOutputs: {}, decisionHistory: [], dependencies: {} })).toEqual([]);
  });

  it('that no document contains stays one', () => {
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
  ])('%j is refused, by the member that is not searched', (pattern, member) => {
    // A computed name makes a member of any name.
    const own = JSON.parse(JSON.stringify(pattern));
    expect(() => splitPattern(own)).toThrow(UnsearchedMemberError);
    expect(() => splitPattern(own)).toThrow(`"${member}"`);
  });
});

describe('containing', () => {
  it('is as PostgreSQL has it', () => {
    expect(containsJson([1, [2, 3], { a: 1 }], [[3], 1, 1])).toBe(true);
    expect(containsJson({ a: ['x'] }, { a: 'x' })).toBe(false);
    expect(containsJson({ a: null }, { a: {} })).toBe(false);
    expect(containsJson({}, JSON.parse('{"__proto__":{}}'))).toBe(false);
  });

  it('holds of every value and itself', () => {
    fc.assert(fc.property(jsonValue, (value) => containsJson(value, value)));
  });
});

describe('JSON made harmless', () => {
  it('is well-formed, without NUL, and says of different values different things', () => {
    fc.assert(
      fc.property(jsonObject, jsonObject, (left, right) => {
        const text = harmlessJson(left);
        expect(text.isWellFormed() && !/\\u0000|\\ud[89a-f]/.test(text)).toBe(true);
        expect(() => JSON.parse(text)).not.toThrow();
        expect(text === harmlessJson(right)).toBe(JSON.stringify(left) === JSON.stringify(right));
      }),
    );
  });

  it('keeps of long strings what tells them apart, and takes no other string for it', () => {
    const long = 'x'.repeat(100_000);
    expect(harmlessJson({ output: long }).length).toBeLessThan(100);
    const alike = [`${long}\ud800`, `${long}\ud801`, `${long}\0`, long, `${long}y`];
    const digests = alike.map((text) => harmlessJson([text]));
    const looksLikeOne = digests.map((text) => JSON.parse(text)[0]);
    const all = [...digests, ...looksLikeOne.map((text) => harmlessJson([text]))];
    expect(new Set(all).size).toBe(2 * alike.length);
    expect(harmlessJson(['x'.repeat(40)])).toBe(JSON.stringify(['x'.repeat(40)]));
  });

  it('leaves text that only looks like an escape as it is', () => {
    const text = '\\u0000 \\\\ud800';
    expect(JSON.parse(harmlessJson(text))).toBe(text);
    expect(harmlessJson(['\uffff0000', '\0'])).toBe('["\uffffffff0000","\uffff0000"]');
  });
});
