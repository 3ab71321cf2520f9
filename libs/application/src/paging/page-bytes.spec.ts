import { withinBytes } from './page-bytes.js';

describe('a page', () => {
  const mebibyte = 1_048_576;
  const fits = (...sizes: readonly number[]) => withinBytes(sizes, (size) => size);

  it('has at most 8 MiB', () => {
    expect(fits(4 * mebibyte, 4 * mebibyte)).toBe(2);
    expect(fits(4 * mebibyte, 4 * mebibyte + 1)).toBe(1);
  });

  it('has at least one item', () => {
    expect(fits(9 * mebibyte, 1)).toBe(1);
  });
});
