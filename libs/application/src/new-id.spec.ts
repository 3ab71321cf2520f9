import { validate, version } from 'uuid';

import { newId } from './new-id.js';

describe('newId', () => {
  it('returns a different UUIDv7 each time, also beyond the random bytes that it requests at once', () => {
    const ids = Array.from({ length: 2_000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  });

  it('begins with the time, so that later ids sort behind earlier ones', () => {
    const before = Date.now();
    const made = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
  });
});
