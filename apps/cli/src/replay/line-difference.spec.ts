import fc from 'fast-check';

import { compareLines } from './line-difference.js';

const line = fc.constantFrom('a', 'b', 'c', 'd');
const lines = fc.array(line, { maxLength: 12 });

describe('the comparison of lines', () => {
  it('marks unchanged, removed and added lines', () => {
    expect(compareLines(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([
      { change: ' ', line: 'a' },
      { change: '-', line: 'b' },
      { change: '+', line: 'x' },
      { change: ' ', line: 'c' },
    ]);
  });

  it('contains both texts completely', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const compared = compareLines(before, after);
        const side = (left: string) =>
          compared.filter(({ change }) => change !== left).map((one) => one.line);
        expect([side('+'), side('-')]).toEqual([before, after]);
      }),
    );
  });

  it('marks the fewest possible lines as changed', () => {
    fc.assert(
      fc.property(lines, fc.nat(), line, (before, at, added) => {
        const place = at % (before.length + 1);
        const after = before.toSpliced(place, 0, added);
        const changed = (other: readonly string[]) =>
          compareLines(before, other).filter(({ change }) => change !== ' ').length;
        expect([changed(before), changed(after)]).toEqual([0, 1]);
      }),
    );
  });

  it('marks texts that are too long to compare as completely removed and added', () => {
    const many = (name: string) => Array.from({ length: 3000 }, (_, n) => `${name} ${n}`);
    const compared = compareLines(many('a'), many('b'));
    expect(compared.slice(0, 3000).every(({ change }) => change === '-')).toBe(true);
    expect(compared).toHaveLength(6000);
  });
});
