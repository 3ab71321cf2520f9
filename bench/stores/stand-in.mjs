import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');
const program = join(root, 'test/kurrentdb/stand-in.ts');
const hooks = pathToFileURL(join(root, 'libs/testing/typescript.hooks.mjs')).href;
const settings = {
  ...{
    nodes: 1,
    serverVersion: '24.10.5',
    maxAppendSize: 1_048_576,
    commitLatencyMs: 0,
    users: [],
  },
};

/** The stand-in for KurrentDB of the tests, in a separate process; it stores all data in memory. */
export async function openStandIn() {
  const child = spawn(
    process.execPath,
    [
      '--conditions=source',
      '--experimental-transform-types',
      '--disable-warning=ExperimentalWarning',
      `--import=${hooks}`,
      program,
      JSON.stringify(settings),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const port = await portOf(child);
  return {
    connectionString: `esdb://127.0.0.1:${port}?tls=false`,
    close: async () => {
      const exited = once(child, 'exit');
      kill();
      await exited;
      process.off('exit', kill);
    },
  };
}

async function portOf(child) {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the stand-in ended with ${code}`);
  });
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended,
  ]);
  ended.catch(() => undefined);
  return JSON.parse(line).ready.ports[0];
}
