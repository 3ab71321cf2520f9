import { Sequence } from './sequence.js';

describe('a sequence', () => {
  it('returns its items in the order in which they were added', () => {
    const sequence = Sequence.empty<string>().with('a').with('b');
    expect(sequence.toArray()).toEqual(['a', 'b']);
    expect(sequence.length).toBe(2);
  });

  it('does not change when items are added to a copy of it', () => {
    const base = Sequence.empty<string>().with('a');
    const [left, right] = [base.with('left').with('more'), base.with('right')];
    expect([base, left, right].map((each) => each.toArray())).toEqual([
      ['a'],
      ['a', 'left', 'more'],
      ['a', 'right'],
    ]);
  });
});
