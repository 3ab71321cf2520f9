// `npm run test:adapters [-- words of the suites]`: installs the frameworks in this folder from its lock, and runs
// their suites against a new build of the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '../..');
const [, , ...words] = process.argv;
const installed = (path) => join(here, 'node_modules', path);

const steps = [
  // SQLite is needed for the benchmark only.
  ['npm', 'ci', '--prefix', here, '--omit=dev', '--no-audit', '--no-fund'],
  ['node', join(root, 'apps/cli/bin/throughline.mjs'), 'build'],
  ['node', join(root, 'node_modules/typescript-7/bin/tsc'), '-p', join(here, 'langgraph')],
  ['node', installed('vitest/vitest.mjs'), 'run', '--root', join(here, 'langgraph'), ...words],
  ...(words.length > 0 ? [] : [['node', join(here, 'mcp/run.mjs')]]),
];

for (const [program, ...args] of steps) {
  const child = spawn(program, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exit(code ?? 1);
}
