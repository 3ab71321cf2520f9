import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Config } from '#platform';

import { WorkerProcess } from './worker-process.js';

const compiled = new URL('./run-worker.js', import.meta.url);
/** The same program, bundled into few files that start faster: see apps/cli/bin/programs.mjs. */
const bundled = new URL('../../../../bundle/worker.js', import.meta.url);
const compileCache = new URL('../../../../.compile-cache', import.meta.url);

/** The first message to a worker; `config` contains the URL of a running database. */
export type WorkerStart = Readonly<{ config: Config; socketPath: string }>;

/** Starts a process with its own database connections that answers requests on a socket; only the current user can access the socket. */
export function startWorker(config: Config): WorkerProcess {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-worker-'));
  const socketPath =
    process.platform === 'win32' ? `\\\\.\\pipe\\${folder}` : join(folder, 'socket');
  const child = fork(fileURLToPath(existsSync(bundled) ? bundled : compiled), {
    execArgv: [`--max-old-space-size=${config.workerHeapMb}`],
    env: { NODE_COMPILE_CACHE: fileURLToPath(compileCache), ...process.env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // A failed start also emits `exit`, which is handled.
  child.on('error', () => undefined);
  child.send({ config, socketPath } satisfies WorkerStart, () => undefined);
  return new WorkerProcess(child, socketPath);
}
