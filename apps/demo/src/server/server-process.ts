import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';

import { DemoError } from '../demo-error.js';

const startLimitMs = 60_000;
const stopLimitMs = 20_000;
const maxErrorLength = 4000;

export type Environment = Readonly<Record<string, string | undefined>>;

/** `args`: the options of `start`. The environment has the user's variables and the settings of the server. */
type ServerStart = Readonly<{ launcher: string; env: Environment; args?: readonly string[] }>;

export type ServerProcess = Readonly<{
  address: URL;
  /** The link that signs in to the console; undefined without the option `--sign-in-link`. */
  signInLink: string | undefined;
  /** Resolves when the process has ended. */
  ended: Promise<void>;
  stop: () => Promise<void>;
}>;

/** Starts a server process and waits until it listens. */
export async function startServerProcess(
  { launcher, env, args = [] }: ServerStart,
  signal: AbortSignal,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [launcher, 'start', ...args], {
    env: serverEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C only reaches the demo, which then stops the server gracefully.
    detached: true,
  });
  const ended = once(child, 'close').then(() => undefined);
  const stop = () => stopProcess(child);
  try {
    return { ...(await readGreeting(child, signal)), ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Adds the settings of all servers of demos. */
function serverEnvironment(env: Environment): Environment {
  return {
    ...env,
    THROUGHLINE_LOG_LEVEL: 'error',
    // Only the demo waits for answers, and it has ended.
    THROUGHLINE_DRAIN_TIMEOUT_MS: '2000',
  };
}

type Greeting = Pick<ServerProcess, 'address' | 'signInLink'>;

async function readGreeting(child: ChildProcess, signal: AbortSignal): Promise<Greeting> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new DemoError('the server has no output');
  const errorText = lastText(stderr);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(startLimitMs)]);
  const listening = findGreeting(stdout);
  const ended = once(child, 'close', { signal: limit }).then(() => undefined);
  const greeting = await Promise.race([listening, ended]).catch((cause: unknown) => {
    throw new DemoError('the server did not start in time', { cause });
  });
  if (greeting) return greeting;
  throw new DemoError(`the server did not start: ${errorText() || 'it gave no reason'}`);
}

/** Its line with the address of the documentation follows the lines with the other addresses. */
async function findGreeting(stdout: Readable): Promise<Greeting | undefined> {
  const { promise, resolve } = Promise.withResolvers<Greeting | undefined>();
  const lines = createInterface({ input: stdout });
  let text = '';
  lines.on('line', (line) => {
    text += `${line}\n`;
    const address = /listens on (http:\/\/\S+)/.exec(text)?.[1];
    const signInLink = /\S+#sign-in=\S+/.exec(text)?.[0];
    if (address !== undefined && line.startsWith('Documentation: '))
      resolve({ address: new URL(address), signInLink });
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
