import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';

import { DemoError } from '../demo-error.js';

const startLimitMs = 60_000;
const stopLimitMs = 20_000;
const maxErrorLength = 4000;

export type DemoServer = Readonly<{ address: URL; adminKey: string; stop: () => Promise<void> }>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Starts a server process on a free port with a temporary data directory; `stop` removes both. */
export async function startServer(
  launcher: string,
  env: Environment,
  signal: AbortSignal,
): Promise<DemoServer> {
  const directory = await mkdtemp(join(tmpdir(), 'throughline-demo-'));
  const adminKey = randomBytes(24).toString('base64url');
  const child = spawn(process.execPath, [launcher, 'start'], {
    env: serverEnvironment(env, join(directory, 'data'), adminKey),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C only reaches the demo, which then stops the server gracefully.
    detached: true,
  });
  const stop = async () => {
    await stopProcess(child);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { address: await addressOf(child, signal), adminKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Excludes the user's configuration: a demo must never write to the user's database. */
function serverEnvironment(env: Environment, dataDir: string, adminKey: string): Environment {
  const foreign = /^(THROUGHLINE_|DATABASE_URL$|EVENTSTORE_URL$|PG)/;
  const inherited = Object.entries(env).filter(([name]) => !foreign.test(name));
  return {
    ...Object.fromEntries(inherited),
    THROUGHLINE_PORT: '0',
    THROUGHLINE_DATA_DIR: dataDir,
    THROUGHLINE_ADMIN_KEY: adminKey,
    THROUGHLINE_LOG_LEVEL: 'error',
    // Only the demo waits for answers, and it has ended.
    THROUGHLINE_DRAIN_TIMEOUT_MS: '2000',
  };
}

async function addressOf(child: ChildProcess, signal: AbortSignal): Promise<URL> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new DemoError('the server has no output');
  const errorText = lastText(stderr);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)]);
  const listening = findAddress(stdout);
  const ended = once(child, 'close', { signal: limit }).then(() => undefined);
  const address = await Promise.race([listening, ended]).catch((cause: unknown) => {
    throw new DemoError('the server did not start in time', { cause });
  });
  if (address) return address;
  throw new DemoError(`the server did not start: ${errorText() || 'it gave no reason'}`);
}

async function findAddress(stdout: Readable): Promise<URL | undefined> {
  const { promise, resolve } = Promise.withResolvers<URL | undefined>();
  const lines = createInterface({ input: stdout });
  lines.on('line', (line) => {
    const address = /listens on (http:\/\/\S+)/.exec(line)?.[1];
    if (address !== undefined) resolve(new URL(address));
  });
  lines.on('close', () => resolve(undefined));
  return promise;
}

function lastText(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => (text = (text + chunk).slice(-maxErrorLength)));
  return () => text.trim();
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
  await exited;
  clearTimeout(forced);
}
