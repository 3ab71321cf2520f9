import { type StandingPart, newestOf } from './standing-part.js';

describe('what holds now', () => {
  it('is as new as the newest of it, however much there is', () => {
    const part = { ref: null, section: 'global', whole: '', brief: '', pinned: false } as const;
    const parts = Array.from({ length: 400_000 }, (_, at): StandingPart => ({
      ...{ ...part, version: at + 2 },
    }));
    expect(newestOf(parts)).toBe(400_001);
    expect(newestOf([])).toBe(1);
  });
});
