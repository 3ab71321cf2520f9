import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { askOnce } from '../../database-server.mjs';
import { startHttpServer } from '../../http-server.mjs';
import { catchUp } from './our-projection.mjs';

const launcher = join(import.meta.dirname, '../../..', 'apps/cli/bin/throughline.mjs');
const clients = 4;

/** What is asked of every context, and how its answer ends where all is well. */
const requests = { verify: '"broken":null}', 'export?format=events-jsonl': '}}\n' };

/** What walks the whole log: every context verified and exported over HTTP, and the commands of operators. */
export async function measureTransfer(given, { throughput }) {
  return given.databases.withCopy(throughput.log, async (database) => {
    await catchUp(given, database);
    const directory = await mkdtemp(join(tmpdir(), 'throughline-bench-files-'));
    try {
      return [
        ...(await measureRequests(given, database)),
        ...(await measureCommands(given, database, directory)),
      ];
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
}

async function measureRequests({ events }, database) {
  const rows = await askOnce(database, 'select context_id from throughline.contexts');
  const http = await startHttpServer({ connectionString: database, connections: clients });
  const measured = [];
  try {
    for (const [path, end] of Object.entries(requests)) {
      const paths = rows.map((row) => `/v1/contexts/${row.context_id}/${path}`);
      const started = performance.now();
      const bytes = await askEach(http, paths, end);
      const seconds = (performance.now() - started) / 1000;
      measured.push({ name: `GET /v1/contexts/{id}/${path}`, seconds, events, bytes });
    }
  } finally {
    await http.close();
  }
  return measured;
}

/** Bytes of all answers; some are asked for at the same time. */
async function askEach(http, paths, end) {
  const left = [...paths];
  let bytes = 0;
  const client = async () => {
    for (let path = left.pop(); path; path = left.pop()) {
      const answer = await http.call('GET', path);
      if (!answer.endsWith(end)) throw new Error(`${path} ends with ${answer.slice(-200)}`);
      bytes += answer.length;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return bytes;
}

/** Each in a process of its own, its start included. */
async function measureCommands({ events, databases }, database, directory) {
  const file = join(directory, 'log.backup');
  const empty = await databases.create('restored');
  const measure = async (args, connectionString, { bytes = async () => 0 } = {}) => ({
    name: `throughline ${args[0]}`,
    seconds: await timeCommand(args, connectionString, directory),
    events,
    bytes: await bytes(),
  });
  return [
    await measure(['audit'], database),
    await measure(['backup', file], database, { bytes: async () => (await stat(file)).size }),
    await measure(['restore', file], empty),
  ];
}

/** Seconds from start to end; throws where it ends otherwise than well. */
async function timeCommand(args, connectionString, directory) {
  const started = performance.now();
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: connectionString,
      THROUGHLINE_DATA_DIR: directory,
      THROUGHLINE_ADMIN_KEY: 'root-key-of-the-benchmark',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`throughline ${args[0]} ended with ${code}`);
  return (performance.now() - started) / 1000;
}
