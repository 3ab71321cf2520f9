import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Pool } from 'undici';

const launcher = join(import.meta.dirname, '..', 'apps/cli/bin/throughline.mjs');
const rootKey = 'root-key-of-the-benchmark';

/** Headers for requests that an agent may not send. */
export const asPerson = { authorization: `Bearer ${rootKey}` };

/** The real server in a separate process, as `npm start` runs it, and an agent that keeps connections open. */
export async function startHttpServer({
  connectionString,
  connections,
  nodeOptions = [],
  env = {},
}) {
  const directory = await mkdtemp(join(tmpdir(), 'throughline-bench-http-'));
  const child = spawn(process.execPath, [...nodeOptions, launcher, 'start'], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      THROUGHLINE_PORT: '0',
      THROUGHLINE_DATA_DIR: directory,
      THROUGHLINE_ADMIN_KEY: rootKey,
      DATABASE_URL: connectionString,
      ...env,
    },
    // Logs are written to a null device: a terminal would be slower than the server.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => child.kill());
  const address = await addressOf(child);
  const pool = new Pool(address, { connections, pipelining: 1 });
  const secret = await createAgentKey(pool);
  return {
    pid: child.pid,
    address,
    key: secret,
    call: (method, path, body, headers) => call(pool, secret, { method, path, body, headers }),
    /** Returns the headers of an answer as well. */
    answer: (method, path) => request(pool, secret, { method, path }),
    close: async () => {
      await pool.close();
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function createAgentKey(pool) {
  const body = JSON.stringify({ role: 'agent', agentId: 'architect' });
  return JSON.parse(await call(pool, rootKey, { method: 'POST', path: '/v1/keys', body })).secret;
}

async function call(pool, key, asked) {
  return (await request(pool, key, asked)).text;
}

async function request(pool, key, { method, path, body, headers }) {
  const answered = await pool.request({
    method,
    path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: body ?? null,
  });
  const text = await answered.body.text();
  if (answered.statusCode >= 300)
    throw new Error(`${method} ${path}: ${answered.statusCode} ${text.slice(0, 300)}`);
  return { text, headers: answered.headers };
}

async function addressOf(child) {
  const lines = createInterface({ input: child.stdout });
  let address;
  for await (const line of lines) {
    address ??= /listens on (http:\S+)/.exec(line)?.[1];
    if (address) break;
  }
  child.stdout.resume();
  if (!address) throw new Error('the server did not start; `npm start` says why');
  return address;
}
