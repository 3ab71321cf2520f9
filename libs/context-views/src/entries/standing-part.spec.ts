import { newestOf, standingParts } from './standing-part.js';

describe('what holds now', () => {
  it('is as new as the newest of it, however much there is', () => {
    const globals = Array.from({ length: 200_000 }, (_, at) => ({
      ...{ kind: 'global' as const, key: `g${at}`, fromVersion: at + 2 },
      ...{ state: {}, body: at },
    }));
    expect(newestOf(standingParts(globals))).toBe(200_001);
    expect(newestOf([])).toBe(1);
  });
});
