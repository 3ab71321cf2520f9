import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { placeCluster, waitFor } from '#testing';

import { isRunning } from '../../libs/database/src/embedded-postgres/process-identity.js';
import { startServerProcess, stopServerProcesses } from './server-process.js';
import { ThroughlineServer } from './throughline-server.js';

describe('a server that is asked to stop during requests', () => {
  // The drain timeout is longer than the test may take, so that connections end for other reasons.
  const env = { THROUGHLINE_DRAIN_TIMEOUT_MS: '600000' };

  it('does not wait for connections without a request or with half of one', async () => {
    const server = await ThroughlineServer.start(env);
    const { hostname, port } = new URL(server.url);
    const open = () => connect(Number(port), hostname).on('error', () => undefined);
    const [idle, incomplete] = [open(), open()];
    await Promise.all([idle, incomplete].map((socket) => once(socket, 'connect')));
    incomplete.write('GET /v1/me HTTP/1.1\r\nHost: localhost\r\n');
    await server.get('/v1/me');
    const ended = Promise.all([idle, incomplete].map((socket) => once(socket, 'close')));
    expect(await server.stop()).toBe(0);
    await ended;
    expect(server.log.join()).not.toContain('were aborted');
  }, 120_000);

  it('answers each request of busy clients or ends the connection, without cutting off a request', async () => {
    const server = await ThroughlineServer.start(env);
    const path = await server.context('hammered');
    const statuses = new Set<number>();
    const sendRepeatedly = async (stepId: string) => {
      for (;;) {
        const answer = await server
          .post(`${path}/step-outputs`, { stepId, output: 1 })
          .catch(() => undefined);
        if (!answer) return;
        statuses.add(answer.status);
      }
    };
    const senders = Array.from({ length: 16 }, (_, n) => sendRepeatedly(`s${n}`));
    await server.post(`${path}/step-outputs`, { stepId: 'last', output: 1 });
    expect(await server.stop()).toBe(0);
    await Promise.all(senders);
    expect([...statuses]).toEqual([201]);
    expect(server.log.join()).not.toContain('were aborted');
  }, 120_000);
});

describe('a server that is killed', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'throughline-killed-'));
    await chmod(directory, 0o755);
  });

  afterEach(async () => {
    await stopServerProcesses();
    await rm(directory, { recursive: true, force: true });
  });

  it('does not leave its embedded PostgreSQL running, which shuts down cleanly', async () => {
    const dataDirectory = join(directory, 'data');
    await placeCluster(dataDirectory);
    const server = await startServerProcess({ THROUGHLINE_DATA_DIR: dataDirectory });
    const file = await readFile(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8');
    const database = Number(file.split('\n')[0]);
    expect(await isRunning(database)).toBe(true);
    await server.stop('SIGKILL');
    await waitFor('a database server that ends', () => isRunning(database), {
      until: (runs) => !runs,
    });
    const log = await readFile(join(dataDirectory, 'postgres.log'), 'utf8');
    expect(log).toContain('database system is shut down');
  }, 120_000);
});
