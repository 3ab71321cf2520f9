import { sql } from 'kysely';
import { request } from 'undici';

import { waitFor } from '#testing';

import { type Body, OperatedServer, Writers } from './operated-server.js';
import {
  type ProjectorProcess,
  startProjectorProcess,
  stopServerProcesses,
  throughline,
} from './server-process.js';

const limitMs = 120_000;
/** The partitions of a killed or stopped process are taken over after its ownership has expired. */
const takeoverMs = 60_000;

describe('projectors in separate processes', () => {
  let server: OperatedServer;

  beforeAll(async () => {
    server = await OperatedServer.start();
  }, limitMs);

  afterAll(async () => {
    await stopServerProcesses();
    await server.stop();
  }, limitMs);

  let [first, second]: ProjectorProcess[] = [];
  beforeEach(async () => {
    [first, second] = await Promise.all([runningAgain(first), runningAgain(second)]);
    await waitFor('two projectors with half of the partitions each', () => server.shares(), {
      until: (shares) => [...shares.values()].join() === '4,4',
      timeoutMs: takeoverMs,
    });
  }, limitMs);

  /** The projector, or a new one if an earlier test has ended it. */
  async function runningAgain(projector?: ProjectorProcess): Promise<ProjectorProcess> {
    const { code, signal } = projector?.output() ?? {};
    return projector && code === null && signal === null
      ? projector
      : startProjectorProcess(server.env);
  }

  it('share the partitions, and take over those of a killed projector', async () => {
    const writers = new Writers(server, ['k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8']);
    await waitFor('100 writes', () => writers.written, { until: (written) => written > 100 });
    await first?.stop('SIGKILL');
    writers.slowDown();
    await waitForShare(second, 8);
    await writers.stop();
    await server.caughtUp();
    await expectEachEventOnce();
  }, 120_000);

  it('refuse the writes of a projector that was stopped while others took over', async () => {
    const writers = new Writers(server, ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8']);
    await waitFor('100 writes', () => writers.written, { until: (written) => written > 100 });
    process.kill(first?.pid ?? 0, 'SIGSTOP');
    writers.slowDown();
    const writtenBefore = await server.countEvents();
    await waitForShare(second, 8);
    // Another projector applies the events in progress of the stopped one; the writers may stay ahead of it.
    await waitFor('events applied that were written before the stop', applied, {
      until: (events) => events >= writtenBefore,
    });
    process.kill(first?.pid ?? 0, 'SIGCONT');
    await waitForShare(first, 4);
    await writers.stop();
    await server.caughtUp();
    await expectEachEventOnce();
  }, 120_000);

  it('report their health and metrics', async () => {
    const page = async (path: string) => {
      const answer = await request(`${second?.address}${path}`);
      return { status: answer.statusCode, text: await answer.body.text() };
    };
    expect(await page('/health/live')).toMatchObject({ status: 200 });
    expect(await page('/health/ready')).toMatchObject({ status: 200 });
    expect(await page('/elsewhere')).toMatchObject({ status: 404 });
    // The rows name an owner shortly before the owner reads them.
    const text = await waitFor(
      'metrics of four partitions',
      async () => (await page('/metrics')).text,
      {
        until: (metrics) => /^throughline_partitions_owned 4$/m.test(metrics),
      },
    );
    expect(text).toMatch(/^throughline_projection_lag_seconds\{projection="shared-context"\} 0$/m);
  });

  it('exit with a message of one line if the environment is invalid', async () => {
    const withoutDatabase = { ...server.env, DATABASE_URL: '' };
    const missing = await throughline(['projector'], withoutDatabase);
    expect(missing).toMatchObject({ code: 1, out: '' });
    expect(missing.err).toMatch(
      /^throughline: DATABASE_URL: must be the URL of the PostgreSQL .*$/,
    );
    const invalidPort = await throughline(['projector', '--port', 'no'], server.env);
    expect(invalidPort).toMatchObject({
      code: 1,
      err: expect.stringContaining('PROJECTOR_PORT: must'),
    });
  });

  it('hand over their partitions at once if they are asked to stop', async () => {
    const result = await first?.stop();
    expect(result).toMatchObject({ code: 0 });
    const { partitions } = await server.projection();
    const owners = partitions.map(({ owner }: Body) => owner?.instance);
    expect(owners).not.toContain(first?.instance);
    await waitForShare(second, 8);
  }, 120_000);

  async function waitForShare(projector: ProjectorProcess | undefined, partitions: number) {
    await waitFor(
      `${partitions} partitions of projector ${projector?.instance}`,
      () => server.shares(),
      {
        until: (shares) => shares.get(projector?.instance ?? '') === partitions,
        timeoutMs: takeoverMs,
      },
    );
  }

  async function applied(): Promise<number> {
    const { rows } = await sql<{ applied: number }>`
      select sum(events)::int as applied
      from throughline.projection_partitions where projection not like '%/%'`.execute(
      server.database.db,
    );
    return rows[0]?.applied ?? 0;
  }

  /** Compares the counts that partitions store with their transactions, and the resulting rows. */
  async function expectEachEventOnce(): Promise<void> {
    expect(await applied()).toBe(await server.countEvents());
    expect(await server.auditRows()).toMatchObject({ verdict: 'held', offenders: 0 });
  }
});
