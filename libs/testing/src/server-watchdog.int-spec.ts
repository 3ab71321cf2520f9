import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startProgram } from './child-program.js';
import { makeTestDirectory } from './test-directory.js';
import { waitFor } from './wait-for.js';

describe('a test process that is killed', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'leaves no server and no directory behind (%s to its whole group)',
    async (signal) => {
      const test = startProgram('open-test-server');
      const { dataDirectory, pid } = await test.next('dataDirectory');
      expect(existsSync(String(dataDirectory))).toBe(true);
      await test.kill(signal, 'group');
      await waitFor('a directory that is removed', () => !existsSync(String(dataDirectory)));
      expect(existsSync(`/proc/${pid}/exe`)).toBe(false);
    },
  );
});

describe('a test directory', () => {
  it('is removed when its server has died, and the current process with that process id is not killed', async () => {
    const { directory, remove } = await makeTestDirectory();
    await mkdir(join(directory, 'postgres'));
    await writeFile(join(directory, 'postgres', 'postmaster.pid'), `${process.pid}\n`);
    await remove();
    expect(existsSync(directory)).toBe(false);
  });
});
