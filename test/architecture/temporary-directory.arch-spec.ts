import { accessSync, constants } from 'node:fs';

import { findTemporaryDirectory } from '../runner/temporary-directory.mjs';

describe('temporary directories of tests', () => {
  it('are in TMPDIR if it is set', () => {
    expect(findTemporaryDirectory({ TMPDIR: '/elsewhere' })).toBe('/elsewhere');
  });

  it('are in memory if it is writable, and otherwise where the system has them', () => {
    const found = findTemporaryDirectory({});
    if (found === undefined) return;
    expect(() => accessSync(found, constants.W_OK | constants.X_OK)).not.toThrow();
  });
});
