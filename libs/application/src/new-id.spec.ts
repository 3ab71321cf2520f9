import { validate, version } from 'uuid';

import { newId } from './new-id.js';

describe('newId', () => {
  it('returns a different UUIDv7 each time, even after its pool of random bytes is used up', () => {
    const ids = Array.from({ length: 2_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  });

  it('returns ids that begin with the time, so that later ids sort after earlier ones', () => {
    const before = Date.now();
    const time = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });
});
