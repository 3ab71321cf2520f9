import { Sequence } from './sequence.js';

describe('a sequence', () => {
  it('keeps what was added in its order', () => {
    const sequence = Sequence.empty<string>().with('a').with('b');
    expect(sequence.toArray()).toEqual(['a', 'b']);
    expect(sequence.length).toBe(2);
  });

  it('stays as it was, whatever grows from it', () => {
    const base = Sequence.empty<string>().with('a');
    const [left, right] = [base.with('left').with('more'), base.with('right')];
    expect([base, left, right].map((each) => each.toArray())).toEqual([
      ['a'],
      ['a', 'left', 'more'],
      ['a', 'right'],
    ]);
  });
});
