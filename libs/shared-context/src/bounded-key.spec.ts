import { boundedKey } from './bounded-key.js';

describe('a bounded key', () => {
  it('is the text itself up to 256 code points', () => {
    for (const text of ['', 'a.md', '😀'.repeat(256)]) expect(boundedKey(text)).toBe(text);
  });

  it('has at most 256 code points, and differs between long texts', () => {
    const keys = ['x', 'y', 'xx'].map((end) => boundedKey('😀'.repeat(300) + end));
    for (const key of keys) expect(Array.from(key).length).toBeLessThanOrEqual(256);
    expect(new Set(keys).size).toBe(3);
  });
});
