import { jsonEquals, mergePatch, pointerStep, without } from './json.js';

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

// The examples of RFC 7396, appendix A, and what JavaScript objects would trip over.
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

describe('own members', () => {
  it('are all that is copied', () => {
    expect(JSON.stringify(without(parse('{"__proto__":1,"a":2,"b":3}'), ['a']))).toBe(
      '{"__proto__":1,"b":3}',
    );
  });
});

describe('a step of a pointer', () => {
  it('escapes what the pointer uses', () => {
    expect(pointerStep('a/b~c')).toBe('/a~1b~0c');
    expect(pointerStep(3)).toBe('/3');
  });
});
