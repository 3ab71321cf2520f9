import { KurrentEventStore } from '#event-store-kurrentdb';
import { Projector } from '#read-models';
import {
  HistoryWriter,
  type TestDatabase,
  type TestKurrentDb,
  type TestServer,
  did,
  openTestDatabase,
  openTestKurrentDb,
  openTestServer,
  waitForProjector,
} from '#testing';

import { auditStore } from './audit-store.js';
import { openSurvey } from './log-survey.js';

describe('the audit of streams in KurrentDB', () => {
  let server: TestServer;
  let kurrent: TestKurrentDb;
  let database: TestDatabase;
  let store: KurrentEventStore;
  let history: HistoryWriter;

  beforeAll(async () => {
    [server, kurrent] = await Promise.all([openTestServer(), openTestKurrentDb()]);
  });
  afterAll(async () => {
    await kurrent.close();
    await server.close();
  });

  beforeEach(async () => {
    database = await openTestDatabase(server);
    store = openStore();
    history = new HistoryWriter(store);
    for (const contextId of ['a', 'b'])
      await history.append(
        contextId,
        did('ContextCreated', {}),
        did('StepOutputAdded', { stepId: 's', output: contextId }),
      );
  });
  afterEach(async () => {
    await store.close();
    await database.close();
  });

  const openStore = () =>
    new KurrentEventStore({
      connectionString: kurrent.connectionString,
      namespace: kurrent.namespace(),
    });
  const project = async () => {
    const projector = new Projector(database.db, store);
    projector.start();
    await waitForProjector(projector);
    await projector.stop();
  };
  const audit = () => auditStore({ db: database.db, store }, undefined);
  const report = async (id: string) => (await audit()).reports.find((each) => each.id === id);

  it('checks the same invariants as with PostgreSQL, and compares the rows', async () => {
    await project();
    const { reports, tables, streams, events, lag } = await audit();
    expect(
      reports.filter(({ verdict }) => verdict === 'held').map(({ id, note }) => [id, note]),
    ).toEqual([
      ['I2', null],
      ['I3', null],
      ['I6', null],
      ['I8', 'sessions only: requests need a history'],
      ['I9', null],
    ]);
    expect(reports.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    expect(tables.map(({ actual }) => actual)).toEqual(tables.map(({ folded }) => folded));
    expect({ streams, events, lag }).toEqual({ streams: 2, events: 4, lag: 0 });
  });

  it('reports how far the rows are behind', async () => {
    await project();
    await history.append('b', did('StepOutputAdded', { stepId: 's', output: 3 }));
    expect(await audit()).toMatchObject({ lag: 1, events: 5 });
    expect(await report('I6')).toMatchObject({
      verdict: 'held',
      note: '1 events are not applied yet',
    });
  });

  it('names an event that is stored twice, and the chain that it breaks', async () => {
    const [first] = await store.readStream('context-default:a', { limit: 1 });
    if (first) await store.append('context-default:b', [first], 2);
    expect(await report('I3')).toMatchObject({
      verdict: 'violated',
      first: `event ${first?.eventId} is stored 2 times`,
    });
    expect(await report('I9')).toMatchObject({ verdict: 'violated' });
  });

  it('names rows of a context that is not in the log', async () => {
    await project();
    await database.pool.query(
      `insert into throughline.context_agents values ('default', 'x', 'ghost')`,
    );
    expect(await report('I6')).toMatchObject({ first: 'ghost: has rows and no events' });
  });

  it('does not check rows that follow another log', async () => {
    await project();
    const other = openStore();
    try {
      await new HistoryWriter(other).append('c', did('ContextCreated', {}));
      const { reports } = await auditStore({ db: database.db, store: other }, undefined);
      expect(reports.find(({ id }) => id === 'I6')).toMatchObject({
        verdict: 'not checked',
        note: expect.stringContaining('another event store'),
      });
    } finally {
      await other.close();
    }
  });

  it('stores a limited number of event ids, and reports the limit', async () => {
    const survey = await openSurvey({ db: database.db, store }, 3);
    for await (const streams of survey.streams()) expect(streams).toHaveLength(2);
    expect(await survey.duplicates()).toEqual({
      found: [],
      note: expect.stringContaining('the first 3 events only'),
    });
  });
});
