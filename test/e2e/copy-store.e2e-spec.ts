import { request } from 'undici';

import { KurrentEventStore } from '#event-store-kurrentdb';
import {
  type TestDatabase,
  type TestKurrentDb,
  type TestServer,
  newEvents,
  openTestDatabase,
  openTestKurrentDb,
  openTestServer,
  waitFor,
  itWhole,
  sized,
} from '#testing';

import { type Body } from './operated-server.js';
import {
  type ServerProcess,
  startCommand,
  startServerProcess,
  stopServerProcesses,
  throughline,
} from './server-process.js';

const key = 'root-key-of-these-tests';
const limitMs = 120_000;
const contexts = ['a', 'b', 'c'];
/** Enough events for a copy to take so long that it can be killed. */
const bulk = { rounds: sized(4, 10), events: 50 };
const seeded = contexts.length * (1 + bulk.rounds * bulk.events) + 61;

/** Follows docs/moving-streams.md step by step. */
describe('streams moved to KurrentDB and back', () => {
  let postgres: TestServer;
  let database: TestDatabase;
  let kurrentdb: TestKurrentDb;
  let server: ServerProcess;
  let inPostgres: Record<string, string>;
  let inKurrentDb: Record<string, string>;

  beforeAll(async () => {
    postgres = await openTestServer();
    [database, kurrentdb] = await Promise.all([openTestDatabase(postgres), openTestKurrentDb()]);
    inPostgres = { DATABASE_URL: database.connectionString, THROUGHLINE_ADMIN_KEY: key };
    inKurrentDb = {
      ...inPostgres,
      EVENTSTORE_URL: kurrentdb.connectionString,
      EVENTSTORE_NAMESPACE: kurrentdb.namespace(),
    };
    server = await startServerProcess(inPostgres);
    for (const contextId of contexts)
      await send('POST', 'contexts', { contextId, title: contextId });
    for (let round = 0; round < bulk.rounds; round++)
      for (const contextId of contexts) await addMany(contextId);
    for (let n = 0; n < 60; n++) await addOutput(contexts[n % 3] ?? '', n);
    await addOutput('a', 1_000, { 'idempotency-key': 'the-old-key' });
  }, limitMs);

  afterAll(async () => {
    await stopServerProcesses();
    await kurrentdb.close();
    await database.close();
    await postgres.close();
  }, limitMs);

  async function send(method: 'GET' | 'POST', path: string, body?: object, headers = {}) {
    const answer = await request(`${server.address}/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    const parsed: Body = JSON.parse(text);
    return { status: answer.statusCode, headers: answer.headers, text, body: parsed };
  }

  const addOutput = (contextId: string, n: number, headers = {}) =>
    send('POST', `contexts/${contextId}/step-outputs`, { stepId: `s${n % 7}`, output: n }, headers);
  const addMany = (contextId: string) =>
    send('POST', `contexts/${contextId}/events`, {
      events: Array.from({ length: bulk.events }, (_, n) => ({
        type: 'StepOutputAdded',
        data: { stepId: `s${n % 7}`, output: { n, text: 'x'.repeat(500) } },
      })),
    });
  const documents = () =>
    Promise.all(contexts.map(async (id) => (await send('GET', `contexts/${id}`)).text));
  const copy = (from: string, to: string) =>
    throughline(['store', 'copy', '--from', from, '--to', to, '--json'], inKurrentDb);
  const openKurrentDb = () =>
    new KurrentEventStore({
      connectionString: kurrentdb.connectionString,
      namespace: inKurrentDb['EVENTSTORE_NAMESPACE'] ?? '',
    });
  const reportOf = (out: string): Body => JSON.parse(out).report;
  const rebuild = async () => {
    const env = { ...inPostgres, THROUGHLINE_URL: server.address, THROUGHLINE_KEY: key };
    const { code } = await throughline(['projection', 'rebuild', 'shared-context'], env);
    expect(code).toBe(0);
  };
  const listed = async () => {
    const { body } = await waitFor(
      'a list with X-Projection-Lag: 0',
      () => send('GET', 'contexts'),
      { until: ({ headers }) => headers['x-projection-lag'] === '0' },
    );
    return body.items.map(({ contextId, version }: Body) => [contextId, version]).toSorted();
  };

  it(
    'are copied during writes, by a copy that is killed and started again',
    async () => {
      const killed = startCommand(
        ['store', 'copy', '--from', 'postgres', '--to', 'kurrentdb'],
        inKurrentDb,
      );
      const target = openKurrentDb();
      await waitFor('the first events in the copy', () => target.head(), {
        until: (head) => head !== 'start',
      });
      await killed.stop('SIGKILL');
      await target.close();
      for (let n = 0; n < 5; n++) await addOutput('b', n);
      const again = await copy('postgres', 'kurrentdb');
      expect(again).toMatchObject({ code: 0 });
      expect(reportOf(again.out)).toMatchObject({ events: seeded + 5, streams: 3 });
    },
    limitMs,
  );

  it(
    'are served from the target: with the same bytes before and after the rebuild, and for repeated idempotency keys',
    async () => {
      await addOutput('c', 5);
      const before = await documents();
      const versions = await listed();
      await server.stop();
      // The newest event has not been copied yet.
      await expect(startServerProcess(inKurrentDb)).rejects.toThrow(/store copy again/);
      const remainder = await copy('postgres', 'kurrentdb');
      expect(reportOf(remainder.out)).toMatchObject({ events: seeded + 6, copied: 1 });
      server = await startServerProcess(inKurrentDb);

      expect(await documents()).toEqual(before);
      const { body: projections } = await send('GET', 'projections');
      expect(projections.items[0]).toMatchObject({
        state: 'stuck',
        reason: expect.stringContaining('rebuild'),
      });
      await rebuild();
      expect(await documents()).toEqual(before);
      expect(await listed()).toEqual(versions);

      const version = 1 + bulk.rounds * bulk.events + 20 + 1;
      const repeated = await addOutput('a', 1_000, { 'idempotency-key': 'the-old-key' });
      expect(repeated.body).toMatchObject({ version });
      const conditional = await addOutput('a', 7, { 'if-match': `"${version}"` });
      expect(conditional.body).toMatchObject({ version: version + 1 });
      expect((await addOutput('a', 8, { 'if-match': `"${version}"` })).status).toBe(412);
    },
    limitMs,
  );

  itWhole(
    'are copied back with the events written in the meantime',
    async () => {
      const before = await documents();
      const versions = await listed();
      await server.stop();
      const reverse = await copy('kurrentdb', 'postgres');
      expect(reverse).toMatchObject({ code: 0 });
      expect(reportOf(reverse.out)).toMatchObject({ events: seeded + 7, copied: 1 });
      server = await startServerProcess(inPostgres);
      await rebuild();
      expect(await documents()).toEqual(before);
      expect(await listed()).toEqual(versions);
      const { out, code } = await throughline(['audit', '--json'], inPostgres);
      expect(code).toBe(0);
      expect(JSON.parse(out).reports.filter(({ verdict }: Body) => verdict === 'violated')).toEqual(
        [],
      );
    },
    limitMs,
  );

  itWhole(
    'are not served from a store that lacks events known to the read models, nor copied over newer events',
    async () => {
      await addOutput('a', 9);
      await listed();
      await server.stop();
      await expect(startServerProcess(inKurrentDb)).rejects.toThrow(
        /context default\/a has rows of version \d+, but in the configured event store .* ends at version \d+/,
      );
      const targetStore = openKurrentDb();
      const stream = 'context-default:b';
      const newest = { direction: 'backwards', limit: 1 } as const;
      const [last] = await targetStore.readStream(stream, newest);
      await targetStore.append(stream, newEvents(1), last?.version ?? 0);
      await targetStore.close();
      const refused = await throughline(
        ['store', 'copy', '--from', 'postgres', '--to', 'kurrentdb'],
        inKurrentDb,
      );
      expect(refused).toMatchObject({ code: 3, out: '' });
      expect(refused.err).toMatch(
        /the target contains "context-default:b" version \d+, but the source contains/,
      );
    },
    limitMs,
  );

  it.each([
    [['--from', 'postgres', '--to', 'postgres'], 2, /name the same store/],
    [['--from', 'mysql', '--to', 'postgres'], 2, /from.*must be one of postgres, kurrentdb/],
    [['--to', 'postgres'], 2, /from/],
  ])('are not copied with the arguments %j', async (args, code, message) => {
    const refused = await throughline(['store', 'copy', ...args], inKurrentDb);
    expect(refused).toMatchObject({ code, out: '', err: expect.stringMatching(message) });
  });

  it('are not copied without the URL of KurrentDB', async () => {
    const refused = await throughline(
      ['store', 'copy', '--from', 'postgres', '--to', 'kurrentdb'],
      inPostgres,
    );
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('EVENTSTORE_URL: must'),
    });
  });
});
