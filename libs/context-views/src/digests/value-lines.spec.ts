import * as fc from 'fast-check';

import { type JsonValue } from '#event-sourcing';

import { valueLines } from './value-lines.js';

describe('the lines of a value', () => {
  it('are its texts line by line, with the names of their members', () => {
    const value = { a: 'x\r\ny', b: [1, { c: true, e: [2] }, null], d: {} };
    expect([...valueLines(value)].map(({ key, text }) => ({ key, text }))).toEqual([
      { key: 'a', text: 'x' },
      { key: '', text: 'y' },
      { key: 'b', text: '1' },
      { key: 'c', text: 'true' },
      { key: 'e', text: '2' },
    ]);
  });

  it('separate the line numbers of a printed file from its text', () => {
    const lines = [...valueLines(' 694\tTOKEN_A\n 695\ttokens')].map(({ text }) => text);
    expect(lines).toEqual(['694: TOKEN_A', '695: tokens']);
  });

  it('are one line for few and short members or elements, each with its own name', () => {
    const value = { files: ['a.ts', 'b.ts'], flight: { from: 'ATL', to: null, price: 158 } };
    expect([...valueLines(value)]).toEqual([
      {
        key: 'files',
        text: 'a.ts, b.ts',
        cells: [
          { key: 'files', text: 'a.ts' },
          { key: 'files', text: 'b.ts' },
        ],
      },
      {
        key: 'flight',
        text: 'from: ATL, price: 158',
        cells: [
          { key: 'from', text: 'ATL' },
          { key: 'price', text: '158' },
        ],
      },
    ]);
  });

  it('are the same for values that look the same in full', () => {
    const lines = (value: JsonValue) => [...valueLines(value)];
    expect(lines({ title: 'null', a: 1 })).toEqual(lines({ title: null, a: 1 }));
    expect(lines({ a: 'true', b: '1' })).toEqual(lines({ a: true, b: 1 }));
  });

  it('are the sentences of a long line, not split after the number of an item', () => {
    const long = `1. ${'Much is said here'.padEnd(200, ' and here')}. Less there! It ends.`;
    expect([...valueLines(long)].map(({ text }) => text)).toEqual([
      `1. ${'Much is said here'.padEnd(200, ' and here')}.`,
      'Less there!',
      'It ends.',
    ]);
  });

  it('contain every character once: together they are no longer than the value', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 });
    const values = fc.oneof(text, fc.jsonValue(), fc.json());
    fc.assert(
      fc.property(values, (value) => {
        // Converts the values of fast-check to JSON.
        const lines = [...valueLines(JSON.parse(JSON.stringify(value)))];
        const cells = lines.flatMap(({ cells, ...line }) => cells ?? [line]);
        const total = cells.reduce((sum, { text: each }) => sum + each.length, 0);
        expect(total).toBeLessThanOrEqual(JSON.stringify(value).length);
      }),
    );
  });

  it('have keys without line breaks and of limited length', () => {
    const [line] = valueLines({ [`a\nb${'c'.repeat(100)}`]: 1 });
    expect(line?.key).toHaveLength(60);
    expect(line?.key).toMatch(/^a bc+…$/);
  });
});
