import { spawn } from 'node:child_process';
import { once } from 'node:events';

type Watchdog = {
  /** Stops the server, removes its directory, and resolves when both are complete. */
  finish(): Promise<void>;
};

/**
 * A separate process that waits for the end of its standard input, which ends when the test closes it or dies. It then
 * stops the server of the directory and removes the directory. Plain JavaScript in one string, because it must start in
 * any process without a loader.
 */
const program = `
  const { readFileSync, rmSync } = require('node:fs');
  const { execFileSync } = require('node:child_process');
  const directory = process.argv[1];
  const commandOf = (pid) => {
    try { return readFileSync('/proc/' + pid + '/cmdline', 'utf8'); } catch {}
    try { return execFileSync('ps', ['-o', 'command=', '-p', pid], { encoding: 'utf8' }); } catch { return ''; }
  };
  // The process id of a server that died may belong to another program now.
  const isOurs = (pid) => commandOf(pid).includes(directory);
  const pidOfServer = () => {
    try { return Math.abs(parseInt(readFileSync(directory + '/postgres/postmaster.pid', 'utf8'), 10)); } catch {}
  };
  const end = async () => {
    const pid = pidOfServer();
    // Its data is not needed after the test, so the fastest shutdown is sufficient.
    if (pid && isOurs(pid)) process.kill(pid, 'SIGQUIT');
    for (let waited = 0; pid && isOurs(pid) && waited < 10000; waited += 10)
      await new Promise((resolve) => setTimeout(resolve, 10));
    rmSync(directory, { recursive: true, force: true, maxRetries: 20 });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  process.stdin.resume().on('end', () => end().finally(() => process.exit()));
`;

export function watchOver(directory: string): Watchdog {
  const child = spawn(process.execPath, ['-e', program, directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
  child.unref();
  const exited = once(child, 'exit');
  return {
    finish: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
