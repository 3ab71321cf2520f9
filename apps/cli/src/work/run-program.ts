import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

import { type Environment } from '../credentials.js';
import { ProcessGroup } from './process-group.js';

export const maxOutputBytes = 512 * 1_024;
const maxErrorLength = 4_000;

const defaultGraceMs = 5_000;
/** How long to wait for remaining output after the exit: child processes may keep the pipes open. */
const lateOutputMs = 1_000;

export type Program = Readonly<{ command: string; args: readonly string[] }>;

export type ProgramEnd = Readonly<{
  /** As in shells: 128 plus the number of the signal that ended it. */
  exitCode: number;
  /** Empty if it has overflowed. */
  stdout: string;
  overflowed: boolean;
  /** The last characters of standard error. */
  stderr: string;
}>;

type RunningProgram = Readonly<{
  /** Resolves when it has ended, even if child processes remain; rejects if it could not be started. */
  ended: Promise<ProgramEnd>;
  /** Resolves when it has written more than the limit of an output. */
  overflowed: Promise<void>;
  end: (graceMs?: number) => Promise<void>;
}>;

type ProgramInput = Readonly<{ input: string; env: Environment }>;

/** Starts a program in a separate process group, without a shell. */
export function runProgram({ command, args }: Program, options: ProgramInput): RunningProgram {
  const child = spawn(command, args, { env: { ...options.env }, detached: true, stdio: 'pipe' });
  const stdout = collect(child);
  const stderr = collectEnd(child);
  // A program that reads nothing may end before its input is written.
  child.stdin.on('error', () => undefined).end(options.input);
  const group = child.pid === undefined ? undefined : new ProcessGroup(child.pid);
  const end = async (graceMs = defaultGraceMs) => group?.end(graceMs);
  const ended = untilEnded(child, end).then((exitCode) => ({
    exitCode,
    ...stdout.read(),
    stderr: stderr(),
  }));
  return { ended, overflowed: stdout.overflowed, end };
}

async function untilEnded(
  child: ChildProcessWithoutNullStreams,
  end: () => Promise<void>,
): Promise<number> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
  });
  await Promise.race([closed, wait(lateOutputMs, undefined, { ref: false })]);
  void end();
  // Remaining child processes may keep them open.
  child.stdout.destroy();
  child.stderr.destroy();
  return exitCode;
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

function collect({ stdout }: ChildProcessWithoutNullStreams) {
  const overflow = Promise.withResolvers<void>();
  const chunks: Buffer[] = [];
  let size = 0;
  stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxOutputBytes) {
      chunks.length = 0;
      overflow.resolve();
    } else chunks.push(chunk);
  });
  return {
    overflowed: overflow.promise,
    read: () => ({
      stdout: Buffer.concat(chunks).toString('utf8'),
      overflowed: size > maxOutputBytes,
    }),
  };
}

function collectEnd({ stderr }: ChildProcessWithoutNullStreams): () => string {
  let end = '';
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    end = (end + chunk).slice(-maxErrorLength);
  });
  return () => end.toWellFormed().trim();
}
