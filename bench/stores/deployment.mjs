import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startHttpServer } from '../http-server.mjs';

const launcher = join(import.meta.dirname, '../..', 'apps/cli/bin/throughline.mjs');

/**
 * This number of servers and projectors on one database; without projectors, servers project the read models
 * themselves.
 */
export async function openDeployment({ connectionString, servers, projectors, clients }) {
  const env = projectors > 0 ? { PROJECTOR: 'external' } : {};
  const started = [];
  const close = () => Promise.all(started.map((each) => each.close()));
  try {
    for (let n = 0; n < servers; n++)
      started.push(
        await startHttpServer({ connectionString, connections: Math.ceil(clients / servers), env }),
      );
    const fronts = [...started];
    for (let n = 0; n < projectors; n++) started.push(await startProjector(connectionString));
    return {
      /** The server of this client, as a load balancer assigns it by connection. */
      serverOf: (client) => fronts[client % fronts.length],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startProjector(connectionString) {
  const directory = await mkdtemp(join(tmpdir(), 'throughline-bench-projector-'));
  const child = spawn(process.execPath, [launcher, 'projector'], {
    cwd: directory,
    env: {
      PATH: process.env.PATH,
      THROUGHLINE_DATA_DIR: directory,
      DATABASE_URL: connectionString,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const kill = () => child.kill();
  process.once('exit', kill);
  const exited = once(child, 'exit').then(() => process.off('exit', kill));
  await once(child.stdout, 'data');
  child.stdout.resume();
  return {
    close: async () => {
      kill();
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
