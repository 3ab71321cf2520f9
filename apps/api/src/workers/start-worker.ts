import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Config } from '#platform';

import { WorkerProcess } from './worker-process.js';

const compiled = new URL('./run-worker.js', import.meta.url);
/** The same program joined into a few files, which start faster: see apps/cli/bin/programs.mjs. */
const bundled = new URL('../../../../bundle/worker.js', import.meta.url);
const compileCache = new URL('../../../../.compile-cache', import.meta.url);

/** The data that a worker gets when it starts; `config` names a running database. */
export type WorkerStart = Readonly<{ config: Config; socketPath: string }>;

/** Starts a process that answers requests on connections of its own, over a socket that only this user reaches. */
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
  // A failure to start comes as an exit, too.
  child.on('error', () => undefined);
  child.send({ config, socketPath } satisfies WorkerStart, () => undefined);
  return new WorkerProcess(child, socketPath);
}
