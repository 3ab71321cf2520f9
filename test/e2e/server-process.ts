import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Readable } from 'node:stream';

import { largerNursery } from './larger-nursery.js';

const root = join(import.meta.dirname, '..', '..');
const launcher = join(root, 'apps/cli/bin/throughline.mjs');

type Environment = Readonly<Record<string, string | undefined>>;

export type Finished = Readonly<{
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}>;

/** A real server in a process of its own, started as a person would. */
export type ServerProcess = Readonly<{
  address: string;
  pid: number;
  /** What it has printed so far. */
  output: () => Finished;
  /** Resolves when it has ended, for whatever reason. */
  ended: Promise<Finished>;
  /** Sends the signal and waits for the end. */
  stop: (signal?: NodeJS.Signals) => Promise<Finished>;
}>;

/** A projector; `instance` is its name in `/v1/projections`, `address` where it serves health and metrics. */
export type ProjectorProcess = ServerProcess & Readonly<{ instance: string }>;

const started = new Set<ServerProcess>();

/** Ends what a failed test has left running. */
export async function stopServerProcesses(): Promise<void> {
  await Promise.all([...started].map((server) => server.stop()));
}

/** Starts `throughline start` on a free port; throws what it said where it ends instead. */
export async function startServerProcess(env: Environment, cwd?: string): Promise<ServerProcess> {
  const free = { THROUGHLINE_PORT: '0', ...env };
  const { process, said } = await startProcess('start', free, /listens on (http:\S+)/, cwd);
  return { ...process, address: said };
}

/** Starts `throughline projector` with a status server on a free port. */
export async function startProjectorProcess(env: Environment): Promise<ProjectorProcess> {
  const pattern = /as (\S+)\n.*metrics: (http:\S+)/;
  const {
    process,
    said,
    more = '',
  } = await startProcess('projector', { PROJECTOR_PORT: '0', ...env }, pattern);
  return { ...process, address: more, instance: said };
}

async function startProcess(command: string, env: Environment, pattern: RegExp, cwd?: string) {
  const { child, finished, output } = launch([command], env, { cwd });
  const [, said = '', more] = await new Promise<RegExpExecArray>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = pattern.exec(output().out);
      if (found) resolve(found);
    });
    void finished.then(({ err }) => reject(new Error(`throughline ${command} ended: ${err}`)));
  });
  if (child.pid === undefined) throw new Error(`throughline ${command} has no process`);
  const process = {
    pid: child.pid,
    output,
    ended: finished,
    stop: (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal);
      // One that was stopped hears of it now.
      child.kill('SIGCONT');
      return finished;
    },
  };
  const running = { ...process, address: said };
  started.add(running);
  void finished.then(() => started.delete(running));
  return { process, said, more };
}

/** Runs one command line to its end. */
export function throughline(
  args: readonly string[],
  env: Environment,
  input?: string,
  cwd?: string,
): Promise<Finished> {
  return launch(args, env, { input, cwd }).finished;
}

/** A command that goes on until it is told to stop. */
export type RunningCommand = Readonly<{
  output: () => Finished;
  /** Resolves when what it has printed so far says so; throws what it printed where it ends instead. */
  said: (wanted: (output: Finished) => boolean) => Promise<void>;
  /** Resolves when it has ended, for whatever reason. */
  ended: Promise<Finished>;
  stop: (signal?: NodeJS.Signals) => Promise<Finished>;
}>;

export function startCommand(args: readonly string[], env: Environment): RunningCommand {
  const { child, finished, output } = launch(args, env);
  return {
    output,
    said: (wanted) =>
      new Promise((resolve, reject) => {
        const look = () => wanted(output()) && resolve();
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        void finished.then((end) => reject(new Error(`it ended: ${JSON.stringify(end)}`)));
        look();
      }),
    ended: finished,
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return finished;
    },
  };
}

/** One command line that goes on until it is told otherwise. */
export function startThroughline(args: readonly string[], env: Environment) {
  const { child, output, finished } = launch(args, env);
  return {
    output,
    stop: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return finished;
    },
  };
}

type Launch = Readonly<{ input?: string | undefined; cwd?: string | undefined }>;

function launch(args: readonly string[], env: Environment, { input, cwd }: Launch = {}) {
  const child = spawn(process.execPath, [...largerNursery, launcher, ...args], {
    env: { ...inherited(), THROUGHLINE_LOG_LEVEL: 'warn', ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const output = collect(child);
  return { child, output, finished: once(child, 'close').then(output) };
}

/** Nothing of the machine's own configuration reaches the test. The others change how fast code loads, not what. */
function inherited(): Environment {
  const { PATH, NODE_COMPILE_CACHE, THROUGHLINE_REBUILD } = process.env;
  return {
    PATH,
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    ...(THROUGHLINE_REBUILD && { THROUGHLINE_REBUILD }),
  };
}

function collect(child: {
  stdout: Readable;
  stderr: Readable;
  exitCode: number | null;
  signalCode: NodeJS.Signals | null;
}): () => Finished {
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => void (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (err += chunk));
  return () => ({
    code: child.exitCode,
    signal: child.signalCode,
    out: out.trim(),
    err: err.trim(),
  });
}
