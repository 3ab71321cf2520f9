import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startHttpServer } from '../../http-server.mjs';
import { catchUp } from './our-projection.mjs';

const launcher = join(import.meta.dirname, '../../..', 'apps/cli/bin/throughline.mjs');

/** The commands that read the whole log, each in a separate process, including its start. */
export async function measureTransfer(given, { throughput }) {
  const { databases } = given;
  const empty = await databases.create('restored');
  return databases.withCopy(throughput.log, async (database) => {
    await catchUp(given, database);
    const directory = await mkdtemp(join(tmpdir(), 'throughline-bench-files-'));
    const measure = measureIn(given, directory);
    try {
      return [
        ...(await overHttp(measure, database)),
        await measure(['verify', '--database'], { DATABASE_URL: database }),
        await measure(['audit'], { DATABASE_URL: database }),
        await measure(['backup', 'log.backup'], { DATABASE_URL: database }),
        await measure(['restore', 'log.backup'], { DATABASE_URL: empty }),
      ];
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
}

/**
 * Commands that send requests per context; the processor time of the server is excluded, the wall-clock time is not.
 */
async function overHttp(measure, connectionString) {
  const http = await startHttpServer({ connectionString, connections: 1 });
  const server = { THROUGHLINE_URL: http.address, THROUGHLINE_KEY: http.key };
  try {
    return [
      await measure(['verify', '--all'], server),
      await measure(['export', '--all', '--out', 'contexts.events.jsonl'], server),
    ];
  } finally {
    await http.close();
  }
}

/** A failed command throws; its last argument may be an output file. */
function measureIn({ events }, directory) {
  return async (args, env) => {
    const started = performance.now();
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: directory,
      env: { PATH: process.env.PATH, THROUGHLINE_DATA_DIR: directory, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = child.stderr.setEncoding('utf8').toArray();
    const [code] = await once(child, 'exit');
    const seconds = (performance.now() - started) / 1000;
    const name = `throughline ${args.join(' ')}`;
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${(await said).join('')}`);
    const file = await stat(join(directory, args.at(-1))).catch(() => undefined);
    return { name, seconds, events, bytes: file?.size ?? 0 };
  };
}
