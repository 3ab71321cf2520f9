import { join } from 'node:path';

import { request } from 'undici';

import {
  type StandInKurrentDb,
  type TestDatabase,
  type TestDirectory,
  type TestServer,
  createEmptyDatabase,
  makeTestDirectory,
  openStandIn,
  openTestDatabase,
  openTestServer,
  sized,
  waitFor,
} from '#testing';

import {
  type ProcessResult,
  type ServerProcess,
  startProjectorProcess,
  startServerProcess,
  stopServerProcesses,
  throughline,
} from './server-process.js';

const key = 'root-key-of-these-tests';
const secret = 'top-secret-of-these-tests';
const limitMs = 120_000;

describe('processes with streams in KurrentDB', () => {
  let postgres: TestServer;
  let kurrent: StandInKurrentDb;
  let database: TestDatabase;
  let directory: TestDirectory;
  let env: Record<string, string>;
  let server: ServerProcess;

  beforeAll(async () => {
    [postgres, kurrent] = await Promise.all([openTestServer(), openStandIn()]);
    database = await openTestDatabase(postgres);
    directory = await makeTestDirectory();
    env = {
      DATABASE_URL: database.connectionString,
      // The stand-in requires no password without TLS.
      EVENTSTORE_URL: kurrent.connectionStringAs(`admin:${secret}`),
      EVENTSTORE_NAMESPACE: kurrent.namespace(),
      PROJECTOR: 'external',
      THROUGHLINE_LOG_LEVEL: 'debug',
      THROUGHLINE_ADMIN_KEY: key,
      THROUGHLINE_DATA_DIR: join(directory.directory, 'data'),
    };
    server = await startServerProcess(env);
  }, limitMs);

  afterAll(async () => {
    await stopServerProcesses();
    await kurrent.close();
    await database.close();
    await postgres.close();
    await directory.remove();
  }, limitMs);

  const run = (...args: string[]) =>
    throughline(args, { ...env, THROUGHLINE_URL: server.address, THROUGHLINE_KEY: key });
  const readyOf = async (address: string) => {
    const { statusCode, body } = await request(`${address}/health/ready`);
    return { statusCode, body: await body.json() };
  };
  const listed = async () => {
    const { headers, body } = await request(`${server.address}/v1/contexts`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await body.dump();
    return headers['x-projection-lag'];
  };
  const ready = { statusCode: 200, body: { status: 'ready', checks: checks('answers') } };
  const unready = {
    statusCode: 503,
    body: { status: 'unready', checks: checks('does not answer') },
  };

  it('print the location of streams and read models, but no credentials', async () => {
    const [{ port } = { port: 0 }] = kurrent.nodes;
    const { port: databasePort } = new URL(database.connectionString);
    const location = `Streams: KurrentDB at 127.0.0.1:${port}; read models: PostgreSQL at 127.0.0.1:${databasePort}`;
    const printsLocation = ({ out }: ProcessResult) => out.includes(location);
    await waitFor(`a server that prints: ${location}`, server.output, { until: printsLocation });
    const projector = await startProjectorProcess(env);
    await waitFor(`a projector that prints: ${location}`, projector.output, {
      until: printsLocation,
    });
    expect(await readyOf(projector.address)).toEqual(ready);
    await projector.stop();
  });

  it('can be audited, verified, backed up and restored with the same commands', async () => {
    const projector = await startProjectorProcess(env);
    expect(await run('context', 'create', 'plan', '--title', 'Plan')).toMatchObject({ code: 0 });
    expect(await run('output', 'add', 'plan', 'one', '{"n":1}')).toMatchObject({ code: 0 });
    await waitFor('a list with X-Projection-Lag: 0', listed, { until: (lag) => lag === '0' });
    const list = await run('projection', 'list');
    expect(list.out).toMatch(/^shared-context +(live|idle) +0 +0 s/m);

    const verified = await run('verify', '--database');
    expect(verified).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^2 events of 1 stream/),
    });
    const audited = await run('audit');
    expect(audited).toMatchObject({ code: 0 });
    expect(audited.out).toMatch(/^I6 +held +2 +0/m);
    expect(audited.out).toContain('2 events of 1 stream, 0 of them not applied yet');

    const rebuilt = await run('projection', 'rebuild', 'shared-context', '--verify');
    expect(rebuilt.out).toMatch(/^events +2 of 2$/m);
    await projector.stop();

    const file = join(directory.directory, 'test.backup');
    const backedUp = await run('backup', file);
    expect(backedUp.out).toContain('2 events of 1 stream');
    expect(backedUp.err).toContain('the streams were read from KurrentDB');
    expect(await run('restore', file)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/EVENTSTORE_URL: a restore writes everything/),
    });
    const empty = await createEmptyDatabase(postgres);
    const restored = await throughline(['restore', file], { DATABASE_URL: empty });
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.out).toContain('2 events of 1 stream as of');
  }, 120_000);

  it('are not ready during an outage, answer 503, and recover by themselves', async () => {
    expect(await readyOf(server.address)).toEqual(ready);
    await kurrent.faults.switch({ fault: 'stop-node', node: 0 });
    const readiness = () => readyOf(server.address);
    const duringOutage = await waitFor('a server that is not ready', readiness, {
      until: ({ statusCode }) => statusCode === 503,
    });
    expect(duringOutage).toEqual(unready);
    const refused = await request(`${server.address}/v1/contexts/plan`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(refused.statusCode).toBe(503);
    expect(await refused.body.json()).toMatchObject({ type: '/problems/unavailable' });
    await kurrent.faults.switch({ fault: 'start-node', node: 0 });
    await waitFor('a server that is ready again', readiness, {
      until: ({ statusCode }) => statusCode === 200,
    });
    expect(await run('context', 'create', 'after')).toMatchObject({ code: 0 });
    const { out, err } = server.output();
    expect(out + err).not.toContain(secret);
  }, 120_000);

  it('do not start with an invalid URL, and do not print it', async () => {
    const url = 'esdb://admin:changeit@127.0.0.1:port';
    for (const command of sized(['start'], ['start', 'projector', 'audit'])) {
      const ended = await throughline([command], { ...env, EVENTSTORE_URL: url });
      expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('EVENTSTORE_URL: ') });
      expect(ended.err).not.toMatch(/admin|changeit/);
    }
  });
});

function checks(eventStore: string) {
  return { database: 'answers', eventStore };
}
