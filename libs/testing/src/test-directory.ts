import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { watchOver } from './server-watchdog.js';

export type TestDirectory = {
  readonly directory: string;
  /** Stops the server in the directory first, if there is one. */
  remove(): Promise<void>;
};

/** A temporary directory for a data directory. It is removed with the server in it, even if the test process dies. */
export async function makeTestDirectory(): Promise<TestDirectory> {
  const directory = await mkdtemp(join(tmpdir(), 'throughline-db-'));
  // If root runs the tests, the server runs as another user.
  if (process.getuid?.() === 0) await chmod(directory, 0o711);
  const watchdog = watchOver(directory);
  return { directory, remove: () => watchdog.finish() };
}
