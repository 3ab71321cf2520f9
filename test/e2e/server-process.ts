import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Readable } from 'node:stream';

import { largerNursery } from './larger-nursery.js';

const root = join(import.meta.dirname, '..', '..');
const launcher = join(root, 'apps/cli/bin/throughline.mjs');

type Environment = Readonly<Record<string, string | undefined>>;

export type ProcessResult = Readonly<{
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}>;

/** A real server in a separate process, started like a person starts it. */
export type ServerProcess = Readonly<{
  address: string;
  pid: number;
  /** Its output so far. */
  output: () => ProcessResult;
  /** Resolves after its exit, for any reason. */
  ended: Promise<ProcessResult>;
  /** Sends the signal and waits for the exit. */
  stop: (signal?: NodeJS.Signals) => Promise<ProcessResult>;
}>;

/** A projector; `instance` is its name in `/v1/projections`, `address` serves health and metrics. */
export type ProjectorProcess = ServerProcess & Readonly<{ instance: string }>;

const started = new Set<ServerProcess>();

/** Stops the processes that a failed test has left running. */
export async function stopServerProcesses(): Promise<void> {
  await Promise.all([...started].map((server) => server.stop()));
}

/** Starts `throughline start` on a free port; rejects with its standard error if it exits. */
export async function startServerProcess(env: Environment, cwd?: string): Promise<ServerProcess> {
  const onFreePort = { THROUGHLINE_PORT: '0', ...env };
  const { process, said: firstMatch } = await startProcess(
    'start',
    onFreePort,
    /listens on (http:\S+)/,
    cwd,
  );
  return { ...process, address: firstMatch };
}

/** Starts `throughline projector` with a status server on a free port. */
export async function startProjectorProcess(env: Environment): Promise<ProjectorProcess> {
  const pattern = /projector (\S+) is running\n.*metrics: (http:\S+)/;
  const {
    process,
    said: firstMatch,
    more: secondMatch = '',
  } = await startProcess('projector', { PROJECTOR_PORT: '0', ...env }, pattern);
  return { ...process, address: secondMatch, instance: firstMatch };
}

async function startProcess(command: string, env: Environment, pattern: RegExp, cwd?: string) {
  const { child, finished, output } = launch([command], env, { cwd });
  const [, firstMatch = '', secondMatch] = await new Promise<RegExpExecArray>((resolve, reject) => {
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
      // A process that was paused with SIGSTOP receives the signal now.
      child.kill('SIGCONT');
      return finished;
    },
  };
  const running = { ...process, address: firstMatch };
  started.add(running);
  void finished.then(() => started.delete(running));
  return { process, said: firstMatch, more: secondMatch };
}

/** Runs one command line to its end. */
export function throughline(
  args: readonly string[],
  env: Environment,
  input?: string,
  cwd?: string,
): Promise<ProcessResult> {
  return launch(args, env, { input, cwd }).finished;
}

/** A command that runs until it is stopped. */
export type RunningCommand = Readonly<{
  output: () => ProcessResult;
  /** Resolves once the output so far meets the condition; rejects with the output if the process exits before. */
  said: (condition: (output: ProcessResult) => boolean) => Promise<void>;
  /** Resolves after its exit, for any reason. */
  ended: Promise<ProcessResult>;
  stop: (signal?: NodeJS.Signals) => Promise<ProcessResult>;
}>;

export function startCommand(args: readonly string[], env: Environment): RunningCommand {
  const { child, finished, output } = launch(args, env);
  return {
    output,
    said: (condition) =>
      new Promise((resolve, reject) => {
        const check = () => condition(output()) && resolve();
        child.stdout.on('data', check);
        child.stderr.on('data', check);
        void finished.then((end) => reject(new Error(`it ended: ${JSON.stringify(end)}`)));
        check();
      }),
    ended: finished,
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return finished;
    },
  };
}

/** Starts one command line that runs until it is stopped. */
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

/**
 * Isolates the test from the configuration of the machine. The other variables change the speed of loading code only.
 */
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
}): () => ProcessResult {
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
