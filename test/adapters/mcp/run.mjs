// The official suites of MCP against `/mcp` and `throughline mcp`, part of `npm run test:adapters`. The conformance
// suite runs against a server, and against the packages with the fixtures that it requires (`test_*`). The files
// `expected-<revision>.yml` and `expected-with-fixtures-<revision>.yml` list the expected failures: the run fails if
// one of these scenarios passes, or if another one fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

import { openFixtureServer } from '../mcp-fixtures/fixture-server.mjs';
import { openProxyWithKey } from './with-key.mjs';

const here = import.meta.dirname;
const root = join(here, '../../..');
const launcher = join(root, 'apps/cli/bin/throughline.mjs');
const installed = (path) => join(here, 'node_modules/@modelcontextprotocol', path);
const key = 'the-key-of-the-official-suites-of-mcp';
const revisions = ['2025-11-25', '2026-07-28'];

await run('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund', '--ignore-scripts']);
const data = await mkdtemp(join(tmpdir(), 'throughline-mcp-suites-'));
const proxy = await openProxyWithKey(key);
const server = spawn(process.execPath, [launcher, 'start'], {
  env: {
    ...process.env,
    ...{ THROUGHLINE_HOST: '127.0.0.1', THROUGHLINE_PORT: '0', THROUGHLINE_ADMIN_KEY: key },
    // A page of this origin is permitted, as the suite expects; the suite also sends other origins.
    ...{ THROUGHLINE_DATA_DIR: join(data, 'data'), CORS_ORIGINS: proxy.url },
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = await addressOf(server);
proxy.leadTo(url);
try {
  for (const revision of revisions) await conformance(proxy.url, revision, `expected-${revision}`);
  const fixtures = await openFixtureServer(await packages(), { url, key });
  for (const revision of revisions)
    await conformance(fixtures.url, revision, `expected-with-fixtures-${revision}`);
  await fixtures.close();
  for (const era of ['legacy', 'modern']) await inspect(era);
} finally {
  proxy.close();
  server.kill('SIGTERM');
  await once(server, 'exit');
  await rm(data, { recursive: true, force: true });
}

function conformance(address, revision, name) {
  const expected = join(here, `${name}.yml`);
  const options = ['--requirements', revision, '--expected-failures', expected];
  const program = installed('conformance/dist/index.js');
  return run(process.execPath, [program, 'server', '--url', `${address}/mcp`, ...options]);
}

/** The packed packages with their dependencies. */
async function packages() {
  const modules = join(data, 'node_modules');
  const own = join(modules, '@throughline');
  for (const name of ['sdk', 'mcp']) {
    const target = join(own, name);
    await mkdir(target, { recursive: true });
    // npm builds the package before packing it.
    await run('npm', ['pack', join(root, 'packages', name), '--pack-destination', data]);
    const tarball = join(data, `throughline-${name}-0.1.0.tgz`);
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
  }
  for (const name of ['@modelcontextprotocol', 'zod'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
  const load = (name) => import(pathToFileURL(join(own, name, 'dist/index.js')));
  return { mcp: await load('mcp'), sdk: await load('sdk') };
}

/** The inspector lists tools with strict checks, calls one, and lists the other features, over both transports. */
async function inspect(era) {
  const inspector = installed('inspector/clients/launcher/build/index.js');
  const environment = ['-e', `THROUGHLINE_URL=${url}`, '-e', `THROUGHLINE_KEY=${key}`];
  const targets = [
    [process.execPath, launcher, 'mcp', ...environment],
    [`${proxy.url}/mcp`, '--transport', 'http'],
  ];
  const methods = [
    ['tools/list', '--strict'],
    ['tools/call', '--tool-name', 'context_find'],
    ['resources/templates/list'],
    ['prompts/list'],
  ];
  for (const target of targets)
    for (const method of methods)
      await run(process.execPath, [
        ...[inspector, '--cli', '--protocol-era', era, ...target, '--method', ...method],
      ]);
}

async function addressOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const found = /listens on (http:\S+)/.exec(line);
    if (found) return found[1];
  }
  throw new Error('the server did not start');
}

async function run(program, args, options = {}) {
  const isOnWindows = process.platform === 'win32';
  const child = spawn(program, args, { stdio: 'inherit', shell: isOnWindows, ...options });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${code}`);
}
