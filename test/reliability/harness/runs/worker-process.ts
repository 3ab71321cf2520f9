import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { workerAgent } from './crash-workflows.js';

const program = join(import.meta.dirname, 'run-worker.mjs');

export type WorkerOptions = Readonly<{
  /** The address of the servers. */
  server: string;
  /** The address of the outside server. */
  outside: string;
  secret: string;
  heartbeatMs: number;
  /** The number of concurrent attempts. */
  loops: number;
}>;

export type WorkerProcess = Readonly<{
  pid: number;
  kill: () => Promise<void>;
}>;

/** Starts a process that executes attempts until it is killed. Throws its output if it exits by itself. */
export function startWorker(options: WorkerOptions): WorkerProcess {
  const { server, outside, secret, heartbeatMs, loops } = options;
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      WORKER_SERVER: server,
      WORKER_OUTSIDE: outside,
      WORKER_KEY: secret,
      WORKER_AGENT: workerAgent,
      WORKER_HEARTBEAT_MS: String(heartbeatMs),
      WORKER_LOOPS: String(loops),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the worker did not start');
  const ended = once(child, 'close');
  return {
    pid,
    kill: async () => {
      const hadEnded = child.exitCode;
      child.kill('SIGKILL');
      await ended;
      if (hadEnded !== null) throw new Error(`a worker ended by itself with code ${hadEnded}`);
    },
  };
}
