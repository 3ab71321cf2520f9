import fc from 'fast-check';

import { jsonValue } from '#testing';

import { readExactJson, textParts } from './exact-json.js';
import { JsonTextError, scanJson } from './scan-json.js';

function accepts(read: (text: string) => unknown, text: string): boolean {
  try {
    read(text);
    return true;
  } catch (error) {
    if (error instanceof JsonTextError || error instanceof SyntaxError) return false;
    throw error;
  }
}

const fragments = fc.array(
  fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', '\\', '\\n', '\\u00e9', '-', '0', '01'),
);
const words = fc.constantFrom(
  '1e5',
  '1.',
  '.5',
  'true',
  'nul',
  ' ',
  '\n',
  '\t',
  '\u0001',
  '\u00a0',
);
const text = fc.oneof(
  fc.string(),
  fragments.map((all) => all.join('')),
  fc.array(fc.oneof(words, fc.constantFrom('[', ']', ','))).map((all) => all.join('')),
  fc.json(),
  fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}')).map(([json, at, instead]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + instead + json.slice(place + 1);
  }),
);

describe('scanning JSON', () => {
  it('accepts what JSON.parse accepts', () => {
    fc.assert(
      fc.property(text, (json) => {
        expect(accepts(scanJson, json)).toBe(accepts(JSON.parse, json));
      }),
    );
  });

  it('finds the parts of an object or array', () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(undefined, 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        const { parts } = scanJson(json);
        const expected = typeof value === 'object' && value !== null ? Object.entries(value) : [];
        const found = parts.map(({ name, start, end }): [string, unknown] => [
          String(name),
          JSON.parse(json.slice(start, end)),
        ]);
        expect(found).toEqual(expected);
      }),
    );
  });

  it.each([
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['"\u0001"', 1],
    ['', 0],
    ['[tru]', 1],
  ])('reports where %j is not JSON', (json, offset) => {
    expect(() => scanJson(json)).toThrow(expect.objectContaining({ offset }));
  });
});

describe('reading JSON exactly', () => {
  it('returns the value that JSON.stringify wrote', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        expect(readExactJson(JSON.stringify(value))).toEqual({ value });
      }),
    );
  });

  it.each(['0.1', '1.10', '1e2', '12345678901234567000', '-0.5e-7', '0.30000000000000004'])(
    'accepts %s, which a double represents',
    (json) => {
      expect(readExactJson(json)).toEqual({ value: Number(json) });
    },
  );

  it.each([
    ['12345678901234567', 'no double represents'],
    ['{"a":{"b":1,"b":1}}', 'has a member twice'],
    [`${'['.repeat(59)}${']'.repeat(59)}`, 'nested deeper'],
    [`[${'1e20,'.repeat(150_000)}1]`, 'longer than'],
  ])('reports why %.20s has no value', (json, fault) => {
    expect(readExactJson(json).fault).toContain(fault);
  });
});

describe('dividing a text', () => {
  it('returns parts of limited length with whole characters that together are the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.integer({ min: 12, max: 40 }),
        (long, most) => {
          const parts = textParts(long, most);
          expect(parts.join('')).toBe(long);
          for (const part of parts) {
            expect(Buffer.byteLength(JSON.stringify(part)) - 2).toBeLessThanOrEqual(most);
            expect(part.isWellFormed()).toBe(true);
          }
        },
      ),
    );
  });
});
