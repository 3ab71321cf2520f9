import fc from 'fast-check';

import { isExactNumber } from '#event-sourcing';
import { InvalidJsonError, UnfitJsonError, type JsonFault } from './json.errors.js';
import { JsonBuilder } from './json.builder.js';
import { JsonScanner, maxJsonMembers, maxJsonValues } from './json.scanner.js';
import { readStrictJson } from './strict-json.js';

const read = (text: string) => readStrictJson(Buffer.from(text, 'utf8')).value;
const runs = { numRuns: 500 };

function faultsOf(text: string): readonly JsonFault[] {
  try {
    read(text);
    return [];
  } catch (error) {
    if (error instanceof UnfitJsonError || error instanceof InvalidJsonError) return error.faults;
    throw error;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the strict JSON reader', () => {
  it('parses the output of JSON.stringify to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(read(text)).toEqual(JSON.parse(text));
      }),
      runs,
    );
  });

  it('accepts only texts that JSON.parse accepts, also if characters are removed or inserted', () => {
    const damaged = fc
      .tuple(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', '"', ',', '{', '0', '\\', '\u0000', '.', 'e', ' '),
      )
      .map(
        ([text, at, cut, put]) =>
          text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + cut),
      );
    fc.assert(
      fc.property(damaged, (text) => {
        fc.pre(text.isWellFormed());
        const refused = (() => {
          try {
            read(text);
            return undefined;
          } catch (error) {
            return error;
          }
        })();
        if (!parses(text)) expect(refused).toBeInstanceOf(InvalidJsonError);
        else if (refused instanceof InvalidJsonError)
          expect(refused.faults[0]?.detail).toMatch(/twice/);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '01',
    '1.',
    '+1',
    '.5',
    'nul',
    "'a'",
    '"\\x"',
    '"\\u12g4"',
    '"\t"',
    '{a:1}',
    '[1 2]',
    '1 2',
    'NaN',
    '\ufeff{}',
    '// x',
    '{"a"}',
    '-',
    '"abc',
  ])('refuses %j with an InvalidJsonError', (text) =>
    expect(() => read(text)).toThrow(InvalidJsonError),
  );

  it('reports the line and column of the fault', () => {
    expect(() => read('{\n  "a": x\n}')).toThrow(/line 2, column 8/);
  });

  it('refuses a duplicate key, also if one of them is escaped, with a pointer to it', () => {
    expect(faultsOf('{"a":{"b":1,"\\u0062":2}}')).toEqual([
      { pointer: '/a/b', detail: 'the key occurs twice' },
    ]);
    const many = Array.from({ length: 40 }, (_, at) => `"k${at}":${at}`).join(',');
    expect(faultsOf(`{${many},"k39":1}`)).toHaveLength(1);
    expect(faultsOf(`{${many}}`)).toEqual([]);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => readStrictJson(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toThrow(InvalidJsonError);
    expect(() => readStrictJson(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toThrow(
      InvalidJsonError,
    );
  });

  it('reports a pointer to every number that a double cannot represent', () => {
    expect(
      faultsOf('{"a":[1,9007199254740993],"b/c":1e400,"d":0.1}').map(({ pointer }) => pointer),
    ).toEqual(['/a/1', '/b~1c']);
  });

  it('counts the numbers that it does not list', () => {
    const refused = (text: string) => {
      try {
        return read(text);
      } catch (error) {
        return error;
      }
    };
    const list = `[${Array.from({ length: 150 }, () => '1e400').join()}]`;
    const { faults, moreFaults, message } = Object(refused(list));
    expect([faults.length, moreFaults]).toEqual([100, 50]);
    expect(message).toBe('/0: a double cannot represent this number exactly (and 149 more)');
    const inside = Object(refused(`{"${'n'.repeat(60_000)}":${list}}`));
    expect([inside.faults.length, inside.moreFaults]).toEqual([2, 148]);
    const deep = Object(refused(`[${list},${'['.repeat(64)}`));
    expect(deep.faults[0]).toMatchObject({ detail: 'nested deeper than 64' });
    expect(deep.faults.length + deep.moreFaults).toBe(151);
  });

  it('allows a nesting of 64 and refuses 65 with a pointer, without using the call stack', () => {
    expect(faultsOf('['.repeat(64) + ']'.repeat(64))).toEqual([]);
    expect(faultsOf('['.repeat(65) + ']'.repeat(65))).toEqual([
      { pointer: '/0'.repeat(64), detail: 'nested deeper than 64' },
    ]);
    expect(faultsOf('['.repeat(1_000_000))).toHaveLength(1);
  });

  it('preserves NUL, lone surrogates, empty keys and __proto__', () => {
    const value = read('{"":"\\u0000","s":"\\ud800","__proto__":{"x":1}}');
    expect(JSON.stringify(value)).toBe('{"":"\\u0000","s":"\\ud800","__proto__":{"x":1}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('reads strings and numbers of many megabytes', () => {
    expect(read(JSON.stringify('a"\\é'.repeat(3_000_000)))).toHaveLength(12_000_000);
    expect(faultsOf('1'.repeat(1_000_000))).toHaveLength(1);
    expect(faultsOf(`0.${'0'.repeat(1_000_000)}1`)).toHaveLength(1);
  });
});

describe('isExactNumber', () => {
  it('is true for the text of every double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) =>
        isExactNumber(String(number)),
      ),
      runs,
    );
  });

  it('is true for every integer up to 2^53 and false for every odd one in the binade above', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 52n - 1n }), (integer) => {
        expect(isExactNumber(String(integer))).toBe(true);
        expect(isExactNumber(String(2n ** 53n + 2n * integer + 1n))).toBe(false);
      }),
      runs,
    );
  });

  it.each([
    '0.1',
    '1.10',
    '1E5',
    '-0',
    '0e99999',
    '1e23',
    '5e-324',
    '100000000000000000000',
    '0.30000000000000004',
    '-1.5e-7',
  ])('is true for %s', (literal) => expect(isExactNumber(literal)).toBe(true));

  it.each([
    '9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1000000000000000055',
    '123456789012345678',
    '2e-324',
  ])('is false for %s', (literal) => expect(isExactNumber(literal)).toBe(false));
});

describe('the strict JSON reader, on long texts', () => {
  it('accepts a million values and refuses more, however short they are', () => {
    const array = (values: number) => `[${'0,'.repeat(values - 2)}0]`;
    expect(read(array(maxJsonValues))).toHaveLength(maxJsonValues - 1);
    expect(faultsOf(array(maxJsonValues + 1))).toEqual([
      { pointer: '', detail: 'has more than 1000000 values: send fewer at once' },
    ]);
    expect(faultsOf(`[${'[],'.repeat(maxJsonValues)}[]]`)).toHaveLength(1);
  });

  it('accepts objects with 200,000 members and refuses more', () => {
    const object = (count: number) =>
      `{"a":[{${Array.from({ length: count }, (_, n) => `"${n}":0`).join()}}]}`;
    expect(faultsOf(object(maxJsonMembers))).toEqual([]);
    expect(faultsOf(object(maxJsonMembers + 1))).toEqual([
      { pointer: '/a/0', detail: 'has more than 200000 members: send fewer at once' },
    ]);
  });

  it.each([
    ['numbers', (size: number) => `[${'1,'.repeat(size / 2)}1]`],
    ['empty arrays', (size: number) => `[${'[],'.repeat(size / 4)}[]]`],
    [
      'members',
      (size: number) => `{${Array.from({ length: size / 16 }, (_, n) => `"key-${n}":0`)}}`,
    ],
  ])('scans %s in steps of about 64 KiB, so that other work can run in between', (_, body) => {
    const steps = (size: number) => {
      const text = body(size);
      return [...new JsonScanner(text, new JsonBuilder(text)).scan(65_536)].length;
    };
    const [small, large] = [steps(600_000), steps(1_200_000)];
    expect(large).toBeGreaterThanOrEqual(small * 1.8);
    expect(large).toBeLessThanOrEqual(small * 2.2);
  });
});
