import fc from 'fast-check';

import { dataPathIn, formatDataPath } from '#event-sourcing';

import { ExpressionError, parseDataPath, valueAtPath } from './index.js';

const document = {
  analyst: { outputs: { 'project-brief': { features: ['a', 'b'], '': 1, 'a.b': 2 } } },
};
const read = (path: string) => valueAtPath(document, parseDataPath(path));

function failure(path: string): [string, number] | undefined {
  try {
    parseDataPath(path);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return [error.reason, error.position];
    throw error;
  }
}

describe('a path into JSON', () => {
  it('reads own members only, including names with hyphens', () => {
    expect(read('analyst.outputs.project-brief.features')).toEqual(['a', 'b']);
    expect(read('analyst.outputs.project-brief.features.1')).toBe('b');
    expect(read('analyst.outputs.project-brief.features.length')).toBe(2);
  });

  it('writes names with dots and empty names in brackets', () => {
    expect(read('analyst.outputs.project-brief["a.b"]')).toBe(2);
    expect(read('["analyst"]["outputs"]["project-brief"][""]')).toBe(1);
  });

  it.each(['constructor', 'analyst.__proto__', 'analyst.outputs.toString.name', 'x.y.z'])(
    'finds nothing at %s, which no data holds',
    (path) => expect(read(path)).toBeUndefined(),
  );

  it('has one spelling, the shorter one', () => {
    const names = parseDataPath('["a"]["b-c"]["d.e"]');
    expect(formatDataPath(names)).toBe('a.b-c["d.e"]');
  });

  it.each([
    ['', 'a name is expected here', 0],
    ['a..b', 'a name is expected here', 2],
    ['a.', 'a name is expected here', 2],
    ['.a', 'a name is expected here', 0],
    ['a b', 'a dot or ["..."] is expected', 1],
    ['a[0]', 'a dot or ["..."] is expected', 1],
    ['a["b"', 'a dot or ["..."] is expected', 1],
    ['a["\\x"]', 'expected a JSON string inside the brackets', 1],
    ['a["b"]c', 'a dot or ["..."] is expected', 6],
    ['a'.repeat(257), 'longer than 256 characters', 256],
  ])('refuses %j and states the position', (path, reason, position) => {
    expect(failure(path)).toEqual([reason, position]);
  });

  it('accepts any name in quotes', () => {
    const names = fc.array(fc.string({ unit: 'binary', maxLength: 8 }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(names, (given) => {
        const path = given.map((name) => `[${JSON.stringify(name)}]`).join('');
        fc.pre(path.length <= 256);
        expect(parseDataPath(path)).toEqual(given);
        expect(parseDataPath(formatDataPath(given))).toEqual(given);
      }),
    );
  });

  it('is parsed or refused for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab.[]"\\ 0u\n') }), (path) => {
        const names = failure(path) ? undefined : parseDataPath(path);
        expect(dataPathIn(path)).toEqual(names);
        expect(names?.length).not.toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads a name in brackets as JSON does', () => {
    const odd = fc.constantFrom(
      '\\u00',
      '\\u0041',
      '\\x',
      '\\n',
      '\n',
      '\t',
      '\\"',
      '\\\\',
      '\ud800',
      'a',
    );
    fc.assert(
      fc.property(fc.array(odd, { maxLength: 6 }), (pieces) => {
        const text = `"${pieces.join('')}"`;
        let expected: readonly string[] | undefined;
        try {
          expected = [JSON.parse(text)];
        } catch {
          expected = undefined;
        }
        expect(dataPathIn(`[${text}]`)).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});
