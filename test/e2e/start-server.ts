import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { placeCluster } from '#testing';

import { largerNursery } from './larger-nursery.js';
import { rootKey } from './root-key.js';
import { openServerStores } from './server-stores.js';

const launcher = join(import.meta.dirname, '..', '..', 'apps/cli/bin/throughline.mjs');

export type StartedServer = Readonly<{
  url: string;
  /** Its log lines so far. */
  log: readonly string[];
  /** Resolves after its exit, for any reason. */
  ended: Promise<Readonly<{ code: number | null; signal: NodeJS.Signals | null }>>;
  /** Sends SIGTERM, waits for the exit, removes the data and returns the exit code. */
  stop: () => Promise<number | null>;
}>;

/** Starts `throughline start` on a free port with new stores; rejects with its log if it exits before it listens. */
export async function startServer(env: Readonly<Record<string, string>>): Promise<StartedServer> {
  const directory = await mkdtemp(join(tmpdir(), 'throughline-e2e-'));
  // PostgreSQL runs as another user if the tests run as root.
  await chmod(directory, 0o755);
  const stores = await openServerStores();
  await placeCluster(join(directory, 'data'));
  const child = spawn(process.execPath, [...largerNursery, launcher, 'start'], {
    env: {
      ...process.env,
      THROUGHLINE_HOST: '127.0.0.1',
      THROUGHLINE_PORT: '0',
      THROUGHLINE_DATA_DIR: join(directory, 'data'),
      THROUGHLINE_ADMIN_KEY: rootKey,
      ...stores.env,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<Awaited<StartedServer['ended']>>((resolve) => {
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  const stop = async () => {
    child.kill('SIGTERM');
    const { code } = await ended;
    await stores.close();
    await rm(directory, { recursive: true, force: true });
    return code;
  };
  try {
    return { url: await addressOf(child, log), log, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(child: ChildProcess, log: readonly string[]): Promise<string> {
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  for await (const line of lines) {
    const address = /listens on (http:\S+)/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error(`the server did not start:\n${log.join('\n')}`);
}
