import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Environment, type ServerProcess, startServerProcess } from './server-process.js';

export type DemoServer = Pick<ServerProcess, 'address' | 'stop'> & Readonly<{ adminKey: string }>;

/** Starts a server process on a free port with a temporary data directory; `stop` removes both. */
export async function startServer(
  launcher: string,
  env: Environment,
  signal: AbortSignal,
): Promise<DemoServer> {
  const directory = await mkdtemp(join(tmpdir(), 'throughline-demo-'));
  const adminKey = randomBytes(24).toString('base64url');
  const remove = () => rm(directory, { recursive: true, force: true, maxRetries: 5 });
  const settings = {
    ...withoutSettings(env),
    THROUGHLINE_PORT: '0',
    THROUGHLINE_DATA_DIR: join(directory, 'data'),
    THROUGHLINE_ADMIN_KEY: adminKey,
  };
  try {
    const { address, stop } = await startServerProcess({ launcher, env: settings }, signal);
    return { address, adminKey, stop: () => stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A server whose data directory remains; it stores its root key in `keyFile`. */
export type KeptServer = ServerProcess & Readonly<{ adminKey: string; keyFile: string }>;

/** Starts a server process on a data directory, which it creates if necessary. Port 0 selects a free port. */
export async function startKeptServer(
  {
    launcher,
    env,
    ...place
  }: Readonly<{
    launcher: string;
    env: Environment;
    dataDirectory: string;
    port: number;
  }>,
  signal: AbortSignal,
): Promise<KeptServer> {
  const settings = {
    ...withoutSettings(env),
    THROUGHLINE_PORT: String(place.port),
    THROUGHLINE_DATA_DIR: place.dataDirectory,
  };
  const start = { launcher, env: settings, args: ['--sign-in-link'] };
  const server = await startServerProcess(start, signal);
  const keyFile = join(place.dataDirectory, 'root-key');
  try {
    return { ...server, keyFile, adminKey: (await readFile(keyFile, 'utf8')).trim() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Excludes the user's configuration: a demo must never write to the user's database. */
function withoutSettings(env: Environment): Environment {
  const foreign = /^(THROUGHLINE_|DATABASE_URL$|EVENTSTORE_URL$|PG)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}
