import { type ViewItem, mostTokens, onlyIn, shorteningOf, sizeOf, widthsOf } from './view-item.js';

const item = (form: ViewItem['form'], tokens: number, fullTokens: number): ViewItem => ({
  ref: `step-output:${form}`,
  form,
  tokens,
  fullTokens,
});
const whole = item('whole', 113, 113);
const line = item('line', 31, 141);
const rollup = item('rollup', 72, 1981);

describe('an item of a view', () => {
  it('states its size, and the full size if it is shortened', () => {
    expect([whole, line, rollup].map(sizeOf)).toEqual([
      '113 tokens',
      '31 of 141 tokens',
      '72 of about 1,981 tokens',
    ]);
  });

  it('has a bar relative to the longest one, never beyond it', () => {
    expect(mostTokens([whole, line])).toBe(141);
    expect(widthsOf(line, 282)).toEqual({ shown: (100 * 31) / 282, full: 50 });
    expect(widthsOf(item('digest', 9, 5), 3)).toEqual({ shown: 100, full: 100 });
    expect(widthsOf(item('whole', 0, 0), 0)).toEqual({ shown: 0, full: 0 });
  });
});

describe('shorteningOf', () => {
  it('states that everything fits', () => {
    expect(shorteningOf({ items: [whole], maxTokens: 500 })).toBe(
      '1 entry, nothing shortened: everything fits into the budget.',
    );
  });

  it('compares the complete size with the budget', () => {
    expect(shorteningOf({ items: [whole, line], maxTokens: 200 })).toBe(
      '1 of 2 entries is shortened: complete, they would take about 254 tokens, and the budget is 200.',
    );
  });

  it('of an empty view states that there are no entries', () => {
    expect(shorteningOf({ items: [], maxTokens: 200 })).toBe('The view has no entries.');
  });
});

describe('onlyIn', () => {
  it('returns the refs that the other view does not have', () => {
    expect([...onlyIn([whole, line], [line, rollup])]).toEqual([whole.ref]);
    expect(onlyIn([whole], undefined).size).toBe(0);
  });
});
