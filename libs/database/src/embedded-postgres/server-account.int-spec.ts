import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { makeTestDirectory } from '#testing';

import { launchCluster } from './launch-cluster.js';
import { stopPostmaster } from './postmaster-signals.js';

const isRoot = process.getuid?.() === 0;
const itAsRoot = isRoot ? it : it.skip;

describe(`the account of the server${isRoot ? '' : ' (root-only cases are not run by another user)'}`, () => {
  let directory: string;
  let remove: () => Promise<void>;

  beforeEach(async () => {
    ({ directory, remove } = await makeTestDirectory());
  });
  afterEach(() => remove());

  it('makes cluster and password inaccessible to other users', async () => {
    const { process: server } = await launchCluster(directory);
    const modes = await Promise.all(
      ['postgres', 'postgres.password', 'postgres.log'].map(async (name) => {
        const { mode } = await stat(join(directory, name));
        return (mode & 0o777).toString(8);
      }),
    );
    expect(modes).toEqual(['700', '600', '600']);
    await stopPostmaster(server.pid);
  });

  itAsRoot.each([0o711, 0o700])(
    'is not root if root starts it in a directory of mode %o',
    async (mode) => {
      const closed = join(directory, 'closed');
      await mkdir(closed);
      await chmod(closed, mode);
      const dataDirectory = join(closed, 'data');
      const { process: server } = await launchCluster(dataDirectory);
      expect((await stat(join(dataDirectory, 'postgres'))).uid).not.toBe(0);
      await stopPostmaster(server.pid);
    },
  );
});
