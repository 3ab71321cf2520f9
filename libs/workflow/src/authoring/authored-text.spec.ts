import fc from 'fast-check';

import { workflowLimits } from '../definition/limits.js';
import { AuthoredText } from './authored-text.js';

const faultsOf = (text: string) => {
  const authored = new AuthoredText(text);
  return authored.faults.map(({ code, offset }) => {
    const { line, column } = authored.positionOf(offset);
    return `${line}:${column} ${code}`;
  });
};

describe('AuthoredText', () => {
  it('reads JSON with comments and trailing commas', () => {
    const text = `{
      // what it is called
      "id": "w", /* its steps */
      "steps": [1, 2,],
    }`;
    const { value, faults } = new AuthoredText(text);
    expect([value, faults]).toEqual([{ id: 'w', steps: [1, 2] }, []]);
  });

  it('ignores a byte order mark at the beginning', () => {
    expect(new AuthoredText('\uFEFF{"a":1}').value).toEqual({ a: 1 });
    expect(faultsOf('\uFEFF{"a":}')).toEqual(['1:6 invalid-json']);
  });

  it('reads members of any name as own members', () => {
    const { value } = new AuthoredText('{"__proto__": {"a": 1}, "": 2}');
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1},"":2}');
  });

  it.each([
    ['', ['1:1 invalid-json']],
    ['{"a": 1 "b": 2}', ['1:9 invalid-json']],
    ["{'a': 1}", ['1:2 invalid-json']],
    ['{\n  "a": tru,\n  "b": 1,\n  "c" 2\n}', ['2:8 invalid-json', '4:7 invalid-json']],
    ['{"a": "x\ny"}', ['1:7 invalid-json', '2:1 invalid-json']],
    ['{"a": 1} {}', ['1:10 invalid-json']],
    ['{"a": 1', ['1:8 invalid-json']],
    ['{"a": 1, /* b', ['1:10 invalid-json']],
    ['{"a": 1,\r\n"a": 2}', ['2:1 duplicate-member']],
    ['{"a": 1,\r"b": {"c": 1, "\\u0063": 2}}', ['2:15 duplicate-member']],
    ['[\n9007199254740993]', ['2:1 inexact-number']],
    ['[1e999]', ['1:2 inexact-number']],
    ['['.repeat(65), ['1:65 too-deep']],
    ['['.repeat(500_000), ['1:65 too-deep']],
    [`"${'x'.repeat(workflowLimits.definitionLength)}"`, ['1:1 too-large']],
  ])('reports each fault of %.20j at its position', (text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
    expect(new AuthoredText(text).value).toBeUndefined();
  });

  it('finds the positions of values, names and characters', () => {
    const text = `{
  "steps": [
    { "id": "a/b", "when": "a \\u003d\\n\\"b\\"" }
  ]
}`;
    const authored = new AuthoredText(text);
    expect(authored.positionAt('/steps/0/when')).toEqual({ line: 3, column: 28 });
    expect(authored.positionOfName('/steps/0/when')).toEqual({ line: 3, column: 20 });
    expect(authored.positionAt('/steps/0/when', 0)).toEqual({ line: 3, column: 29 });
    // a, space, =, line feed, quote
    expect([1, 2, 3, 4, 5].map((at) => authored.positionAt('/steps/0/when', at).column)).toEqual([
      30, 31, 37, 39, 41,
    ]);
    expect(authored.positionAt('/steps/0')).toEqual({ line: 3, column: 5 });
    expect(authored.positionOfName('/steps/0')).toEqual({ line: 3, column: 5 });
    expect(authored.positionAt('/steps/0/gone/x')).toEqual({ line: 3, column: 5 });
    expect(authored.positionAt('/gone')).toEqual({ line: 1, column: 1 });
  });

  it('finds members whose names are escaped in a pointer', () => {
    const authored = new AuthoredText('{"a/b": {"~": 1}}');
    expect(authored.positionAt('/a~1b/~0')).toEqual({ line: 1, column: 15 });
  });

  it('reads the same value as JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const read = new AuthoredText(text);
        expect(JSON.stringify(read.value)).toBe(
          read.faults.length > 0 ? undefined : JSON.stringify(JSON.parse(text)),
        );
      }),
    );
  });

  it('either has a value or reports faults for any text', () => {
    const parts = fc.constantFrom(
      ...'{}[]:,"/*\\\n \u00e9'.split(''),
      '//',
      '"a"',
      '1',
      '-',
      'null',
      '\\u',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (chosen) => {
        const { value, faults } = new AuthoredText(chosen.join(''));
        expect(value === undefined).toBe(faults.length > 0);
      }),
      { numRuns: 2_000 },
    );
  });
});
