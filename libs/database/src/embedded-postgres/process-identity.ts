import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

import { hasCode, orIfDenied, orIfMissing } from './error-code.js';

const run = promisify(execFile);

/**
 * Distinguishes a live process from a later one with the same process id, as precisely as the system allows: on Linux
 * by boot and start tick, elsewhere by the second of the start. `undefined`: there is no such process. `unknown`:
 * neither `/proc` nor `ps` is available, so that only the process id counts.
 */
export async function readStartIdentity(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return readFromProc(pid);
  if (!answersSignals(pid)) return undefined;
  return (await queryPs(pid, 'lstart')) ?? 'unknown';
}

/** Also false for an ended process whose parent has not waited for it, as in a container without init. */
export async function isRunning(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return answersSignals(pid);
  return (await readFromProc(pid)) !== undefined;
}

/** Process ids have no meaning in another namespace, such as that of another container. */
export async function readPidNamespace(): Promise<string> {
  return orIfMissing(readlink('/proc/self/ns/pid'), process.platform);
}

/** The program and arguments of a process; empty if there is no such process, or if `ps` is missing. */
export async function readCommandLine(pid: number): Promise<string> {
  if (process.platform !== 'linux') return (await queryPs(pid, 'command')) ?? '';
  const line = await orIfMissing(readFile(`/proc/${pid}/cmdline`, 'utf8'), '');
  return line.replaceAll('\0', ' ');
}

async function readFromProc(pid: number): Promise<string | undefined> {
  // Any other failure is thrown: it does not mean that the process has ended.
  const status = await orIfMissing(readFile(`/proc/${pid}/stat`, 'utf8'), undefined);
  // The name, in parentheses, may itself contain spaces and parentheses.
  const fields = status?.slice(status.lastIndexOf(')') + 2).split(' ');
  const [state] = fields ?? [];
  const started = fields?.[19];
  if (started === undefined || state === 'Z') return undefined;
  const boot = await orIfDenied(readFile('/proc/sys/kernel/random/boot_id', 'utf8'), '');
  return `${boot.trim()}:${started}`;
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process lives and belongs to another user.
    return hasCode(error, 'EPERM');
  }
}

async function queryPs(pid: number, column: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const answered = orIfDenied(run('ps', ['-o', `${column}=`, '-p', String(pid)]), undefined);
  try {
    return (await answered)?.stdout.trim();
  } catch (error) {
    // `ps` exits with 1 if there is no such process.
    if (hasCode(error, 1)) return undefined;
    throw error;
  }
}
