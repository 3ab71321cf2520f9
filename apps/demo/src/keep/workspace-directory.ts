import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { DemoError } from '../demo-error.js';

const mark = 'filled-by-demo';

/** The directory of a workspace that the demo fills once and opens again later. */
export type WorkspaceDirectory = Readonly<{
  path: string;
  dataDirectory: string;
  /** Whether an earlier run has filled it completely. */
  isFilled: boolean;
  /** Marks the workspace as filled completely. */
  complete: () => Promise<void>;
  remove: () => Promise<void>;
}>;

/**
 * Opens a directory that is absent, empty, or filled by this demo.
 * @throws DemoError if it has other content: that may be the user's own data.
 */
export async function openWorkspaceDirectory(directory: string): Promise<WorkspaceDirectory> {
  const path = resolve(directory);
  await mkdir(path, { recursive: true });
  const names = await readdir(path);
  const isFilled = names.includes(mark);
  if (!isFilled && names.length > 0)
    throw new DemoError(
      `${path} was not filled by this demo: remove it, or name another directory`,
    );
  return {
    path,
    dataDirectory: join(path, 'data'),
    isFilled,
    complete: () => writeFile(join(path, mark), 'npm run demo -- --keep\n'),
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}
