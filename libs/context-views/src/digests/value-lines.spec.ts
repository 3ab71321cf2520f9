import * as fc from 'fast-check';

import { type JsonValue } from '#event-sourcing';

import { valueLines } from './value-lines.js';

describe('what a value tells, line by line', () => {
  it('is its texts by their lines, under the members they stand in', () => {
    const value = { a: 'x\r\ny', b: [1, { c: true, e: [2] }, null], d: {} };
    expect([...valueLines(value)].map(({ key, text }) => ({ key, text }))).toEqual([
      { key: 'a', text: 'x' },
      { key: '', text: 'y' },
      { key: 'b', text: '1' },
      { key: 'c', text: 'true' },
      { key: 'e', text: '2' },
    ]);
  });

  it('parts the numbers of printed lines from what stands in them', () => {
    const lines = [...valueLines(' 694\tTOKEN_A\n 695\ttokens')].map(({ text }) => text);
    expect(lines).toEqual(['694: TOKEN_A', '695: tokens']);
  });

  it('is one line of members or elements that are few and short, each known by its own name', () => {
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

  it('is the same of values that look the same where they are told whole', () => {
    const lines = (value: JsonValue) => [...valueLines(value)];
    expect(lines({ title: 'null', a: 1 })).toEqual(lines({ title: null, a: 1 }));
    expect(lines({ a: 'true', b: '1' })).toEqual(lines({ a: true, b: 1 }));
  });

  it('is the sentences of a line that is long, but for the number of an item', () => {
    const long = `1. ${'Much is said here'.padEnd(200, ' and here')}. Less there! It ends.`;
    expect([...valueLines(long)].map(({ text }) => text)).toEqual([
      `1. ${'Much is said here'.padEnd(200, ' and here')}.`,
      'Less there!',
      'It ends.',
    ]);
  });

  it('reads every character once: what the lines hold is no longer together than the value', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 });
    const values = fc.oneof(text, fc.jsonValue(), fc.json());
    fc.assert(
      fc.property(values, (value) => {
        // What fast-check makes here is JSON.
        const lines = [...valueLines(JSON.parse(JSON.stringify(value)))];
        const held = lines.flatMap(({ cells, ...line }) => cells ?? [line]);
        const told = held.reduce((sum, { text: each }) => sum + each.length, 0);
        expect(told).toBeLessThanOrEqual(JSON.stringify(value).length);
      }),
    );
  });

  it('holds keys on one line, and no longer than a key should be', () => {
    const [line] = valueLines({ [`a\nb${'c'.repeat(100)}`]: 1 });
    expect(line?.key).toHaveLength(60);
    expect(line?.key).toMatch(/^a bc+…$/);
  });
});
