import { type ChildProcess, spawn } from 'node:child_process';

import { type Installation } from './initialize-cluster.js';

/**
 * Waits for a line on standard input. The end of the input instead means that our process has died: then the server is
 * asked for a fast shutdown, unless `postmaster.pid` names another one that runs, and the number of ours may be
 * somebody else's by now. A server that has only begun to start has not written that file yet. Signals that are meant
 * for our process do not end the shell.
 */
const script = `
trap '' HUP INT TERM
read -r line && exit
read -r owner < postmaster.pid || owner=$1
[ "$owner" = "$1" ] || ! kill -0 "$owner" || exit
kill -INT "$1"
`;

/**
 * Starts a shell in a session of its own that shuts the server down if this process dies. It needs the builtin commands
 * of any POSIX shell and no other program. Without a shell, the next start stops the server that was left running.
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

/** For a server that has ended. */
export function dismissWatchdog({ stdin }: ChildProcess): void {
  stdin?.end('\n');
}
