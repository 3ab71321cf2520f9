import { beginningOf } from './value-beginning.js';

describe('the beginning of a value', () => {
  it('is the value if that is small', () => {
    const value = { a: ['b', 1, null, { c: true }] };
    expect(beginningOf(value, 100)).toEqual(value);
  });

  it('has about the requested number of characters of a large value of any type', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => at);
    for (const value of [
      'x'.repeat(10_000),
      many,
      { ...many },
      { a: { b: ['y'.repeat(10_000)] } },
    ]) {
      const { length } = JSON.stringify(beginningOf(value, 100));
      expect(length).toBeLessThan(1_000);
      expect(length).toBeGreaterThan(90);
    }
  });
});
