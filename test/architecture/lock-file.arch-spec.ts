import { z } from 'zod';

import { readProjectFile } from './project-files.js';

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      link: z.boolean().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

const { packages } = lockFile.parse(JSON.parse(readProjectFile('package-lock.json')));

describe('package-lock.json', () => {
  // npm drops the entries of other platforms if it writes the lock next to an installed node_modules, or if a registry
  // does not have them; "npm ci" then refuses the lock on every platform.
  it('contains the optional dependencies of every platform', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
    );
    expect(missing).toEqual([]);
  });

  it('links the workspace that provides the command for npx', () => {
    expect(packages['node_modules/throughline-cli']).toMatchObject({ link: true });
  });
});

/** Node looks a package up next to the dependent, then upwards. */
function isLocked(path: string, name: string): boolean {
  const beside = path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`;
  if (packages[beside]) return true;
  if (path === '') return false;
  const parent = path.lastIndexOf('/node_modules/');
  return isLocked(parent === -1 ? '' : path.slice(0, parent), name);
}
