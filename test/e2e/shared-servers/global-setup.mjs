// Starts the host of shared servers for the e2e project. The host exits with this process, also if it is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..', '..', '..');

export default async function startHost() {
  const host = spawn(
    process.execPath,
    [
      '--conditions=source',
      '--experimental-transform-types',
      '--disable-warning=ExperimentalWarning',
      `--import=${join(root, 'libs/testing/typescript.hooks.mjs')}`,
      join(import.meta.dirname, 'host.ts'),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(host, 'exit');
  const [socketPath] = await Promise.race([
    once(createInterface({ input: host.stdout }), 'line'),
    exited.then(([code]) => {
      throw new Error(`the host of shared servers did not start: exit code ${code}`);
    }),
  ]);
  process.env.THROUGHLINE_SHARED_SERVERS = socketPath;
  globalThis.stopSharedServers = async () => {
    host.stdin.end();
    const [code, signal] = await exited;
    if (code !== 0) throw new Error(`the host of shared servers ended with ${signal ?? code}`);
  };
}
