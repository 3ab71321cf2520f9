import { spawn } from 'node:child_process';
import { once } from 'node:events';

export type Watchdog = {
  /** Stops the server, removes its directory, and resolves when that is done. */
  finish(): Promise<void>;
};

/**
 * A process of its own that waits for the end of its standard input, which comes when the test closes it or dies. It
 * then stops the server of the directory and removes the directory. Written as plain JavaScript in one string: it
 * must start in any process without a loader.
 */
const program = `
  const { readFileSync, rmSync } = require('node:fs');
  const directory = process.argv[1];
  const isAlive = (pid) => { try { process.kill(pid, 0); return true; } catch { return false; } };
  const pidOfServer = () => {
    try { return Math.abs(parseInt(readFileSync(directory + '/postgres/postmaster.pid', 'utf8'), 10)); } catch {}
  };
  const end = async () => {
    const pid = pidOfServer();
    // Nothing in it outlives the test, so the quickest way down will do.
    if (pid) process.kill(pid, 'SIGQUIT');
    for (let waited = 0; pid && isAlive(pid) && waited < 10000; waited += 10)
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
