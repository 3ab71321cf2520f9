import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

import { hasCode, orIfBarred, orIfMissing } from './error-code.js';

const run = promisify(execFile);

/**
 * What tells a living process from a later one that was given the same number, as far as this system says: on Linux
 * the boot and the tick it began at, elsewhere the second. `undefined`: no such process. `unknown` where neither
 * `/proc` nor `ps` answers; then the number alone has to do.
 */
export async function readStartIdentity(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readFromProc(pid);
  if (!answersSignals(pid)) return undefined;
  return (await ask(pid, 'lstart')) ?? 'unknown';
}

/** Also false for one that has ended and whose parent does not ask: in a container nobody may. */
export async function isRunning(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return answersSignals(pid);
  return (await readFromProc(pid)) !== undefined;
}

/** Numbers mean nothing in another namespace, which is where another container lives. */
export async function readPidNamespace(): Promise<string> {
  return orIfMissing(readlink('/proc/self/ns/pid'), process.platform);
}

/** The program and arguments of a process; empty if there is no such process, or no `ps`. */
export async function readCommandLine(pid: number): Promise<string> {
  if (process.platform !== 'linux') return (await ask(pid, 'command')) ?? '';
  const line = await orIfMissing(readFile(`/proc/${pid}/cmdline`, 'utf8'), '');
  return line.replaceAll('\0', ' ');
}

async function readFromProc(pid: number): Promise<string | undefined> {
  // Any other failure is thrown: it must not pass for a process that has ended.
  const status = await orIfMissing(readFile(`/proc/${pid}/stat`, 'utf8'), undefined);
  // The name, in parentheses, may itself hold spaces and parentheses.
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ');
  const [state] = fields ?? [];
  const started = fields?.[19];
  if (started === undefined || state === 'Z') return undefined;
  const boot = await orIfBarred(readFile('/proc/sys/kernel/random/boot_id', 'utf8'), '');
  return `${boot.trim()}:${started}`;
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to someone else.
    return hasCode(error, 'EPERM');
  }
}

async function ask(pid: number, column: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const answered = orIfBarred(run('ps', ['-o', `${column}=`, '-p', String(pid)]), undefined);
  try {
    return (await answered)?.stdout.trim();
  } catch (error) {
    // It ends with 1 if there is no such process.
    if (hasCode(error, 1)) return undefined;
    throw error;
  }
}
