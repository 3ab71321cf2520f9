import { newestOf } from './standing-part.js';

describe('what holds now', () => {
  it('is as new as the newest of it, however much there is', () => {
    const parts = Array.from({ length: 400_000 }, (_, at) => ({ version: at + 2 }));
    expect(newestOf(parts)).toBe(400_001);
    expect(newestOf([])).toBe(1);
  });
});
