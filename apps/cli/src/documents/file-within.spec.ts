import { join, resolve } from 'node:path';

import fc from 'fast-check';

import { fileWithin } from './file-within.js';

describe('fileWithin', () => {
  it.each([
    ['docs/adr/0001.md', 'docs/adr/0001.md'],
    ['../../etc/passwd', 'etc/passwd'],
    ['/etc/passwd', 'etc/passwd'],
    ['C:\\windows\\..\\x', 'C_/windows/x'],
    ['a/./.. /b\0c', 'a/b_c'],
    ['..', 'document'],
    ['', 'document'],
  ])('maps the name %j to the path %j', (name, path) => {
    expect(fileWithin(name)).toBe(path);
  });

  it('never returns a path outside the folder', () => {
    const step = fc.constantFrom('..', '.', '/', '\\', 'a', ' ', ':', '\0', '\u007f');
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const path = resolve(join('/folder', fileWithin(steps.join(''))));
        expect(path.startsWith('/folder/')).toBe(true);
      }),
    );
  });
});
