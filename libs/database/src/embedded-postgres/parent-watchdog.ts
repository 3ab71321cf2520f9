import { type ChildProcess, spawn } from 'node:child_process';

import { type Installation } from './initialize-cluster.js';

/**
 * Waits for a line on standard input. If the input ends without one, this process has died: the script then requests a
 * fast shutdown, unless `postmaster.pid` names another running server, since the process id may belong to another
 * program by then. A server that is still starting has not written that file yet. Signals for this process do not end
 * the shell.
 */
const script = `
trap '' HUP INT TERM
read -r line && exit
read -r owner < postmaster.pid || owner=$1
[ "$owner" = "$1" ] || ! kill -0 "$owner" || exit
kill -INT "$1"
`;

/**
 * Starts a shell in a separate session that shuts the server down if this process dies. It uses only builtin commands
 * of a POSIX shell. Without a shell, the next start stops a server that was left running.
 */
export function spawnWatchdog(
  pid: number,
  { files, account }: Pick<Installation, 'files' | 'account'>,
): ChildProcess {
  const { file, args, options } = account.command('/bin/sh', ['-c', script, 'sh', String(pid)]);
  const child = spawn(file, args, {
    ...options,
    cwd: files.cluster,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  child.unref();
  return child;
}

/** Call it after the server has ended. */
export function dismissWatchdog({ stdin }: ChildProcess): void {
  stdin?.end('\n');
}
