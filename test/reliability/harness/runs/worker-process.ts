import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { workerAgent } from './crash-workflows.js';

const program = join(import.meta.dirname, 'run-worker.mjs');

export type WorkerPlace = Readonly<{
  /** Of the servers. */
  server: string;
  /** Of the outside server. */
  outside: string;
  secret: string;
  heartbeatMs: number;
  /** So many attempts it carries out at once. */
  loops: number;
}>;

export type WorkerProcess = Readonly<{
  pid: number;
  kill: () => Promise<void>;
}>;

/** A process that carries out attempts until it is killed. Throws what it said if it ends by itself. */
export function startWorker(place: WorkerPlace): WorkerProcess {
  const { server, outside, secret, heartbeatMs, loops } = place;
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
