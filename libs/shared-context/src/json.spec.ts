import fc from 'fast-check';

import { type JsonObject, type JsonValue } from '#event-sourcing';

import {
  jsonEquals,
  mergePatch,
  mergePatchInSteps,
  patchChanges,
  pointerStep,
  without,
} from './json.js';

const parse = (text: string) => JSON.parse(text) as never;

describe('equality of JSON', () => {
  it.each([
    ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
    ['{"a":1}', '{"a":1,"b":2}', false],
    ['{"__proto__":1}', '{}', false],
    ['{"__proto__":{}}', '{"a":{}}', false],
    ['{"toString":1}', '{"valueOf":1}', false],
    ['[1,2]', '[2,1]', false],
    ['[]', '{}', false],
    ['null', '{}', false],
    ['0', '-0', true],
    ['"é"', '"e\\u0301"', false],
  ])('of %s and %s is %s', (left, right, equal) => {
    expect(jsonEquals(parse(left), parse(right))).toBe(equal);
  });
});

// The examples of RFC 7396, appendix A, and names that are special in JavaScript objects.
describe('a merge patch', () => {
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ['{}', '{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
    ['{"__proto__":{"a":1}}', '{"__proto__":null}', '{}'],
    ['{}', '{"toString":{"a":1}}', '{"toString":{"a":1}}'],
  ])('turns %s by %s into %s', (target, patch, result) => {
    expect(JSON.stringify(mergePatch(parse(target), parse(patch)))).toBe(result);
  });
});

/** Few names and values, so that patches often match the patched values. */
const { value: patchable } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 0, 'a'),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 3 }),
}));

describe('the check for a change by a merge patch', () => {
  it('returns whether the resulting value differs', () => {
    fc.assert(
      fc.property(fc.option(patchable, { nil: undefined }), patchable, (target, patch) => {
        const isSame = target !== undefined && jsonEquals(target, mergePatch(target, patch));
        expect(patchChanges(target, patch)).toBe(!isSame);
      }),
    );
  });
});

describe('a merge patch in steps', () => {
  it.each<[string, (count: number) => JsonObject]>([
    ['one object', (count) => members(count, () => 1)],
    ['many small objects', (count) => members(count / 10, () => members(9, () => 1))],
  ])('takes twice the steps for twice the members of %s', (_, patch) => {
    const [large, larger] = [stepsOf(patch(10_000)), stepsOf(patch(20_000))];
    expect(large).toBeGreaterThanOrEqual(Math.floor(10_000 / 256));
    expect(larger).toBeGreaterThanOrEqual(2 * large);
    expect(larger).toBeLessThanOrEqual(2 * large + 1);
  });
});

function members(count: number, value: () => JsonValue): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value()]));
}

function stepsOf(patch: JsonObject): number {
  const merging = mergePatchInSteps({}, patch);
  let steps = 0;
  while (!merging.next().done) steps += 1;
  return steps;
}

describe('own members', () => {
  it('are copied, also with the name __proto__', () => {
    expect(JSON.stringify(without(parse('{"__proto__":1,"a":2,"b":3}'), ['a']))).toBe(
      '{"__proto__":1,"b":3}',
    );
  });
});

describe('a step of a pointer', () => {
  it('escapes the special characters of pointers', () => {
    expect(pointerStep('a/b~c')).toBe('/a~1b~0c');
    expect(pointerStep(3)).toBe('/3');
  });
});
