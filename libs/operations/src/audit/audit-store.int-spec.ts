import fc from 'fast-check';
import { type History, type InvariantId, historyOf } from '#invariants';

import { PostgresEventStore } from '#event-store-postgres';
import { Projector } from '#read-models';
import { type NewContextEvent, contextStream } from '#shared-context';
import {
  HistoryWriter,
  type TestDatabase,
  type TestServer,
  contextCommands,
  contextFrom,
  did,
  openTestDatabase,
  openTestServer,
  waitForProjector,
  sized,
} from '#testing';

import { auditStore } from './audit-store.js';

describe('the audit of a store', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let history: HistoryWriter;

  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    history = new HistoryWriter(store);
  });
  afterEach(async () => {
    await store.close();
    await database.close();
  });

  const project = async () => {
    const projector = new Projector(database.db, store);
    projector.start();
    await waitForProjector(projector);
    await projector.stop();
  };
  const audit = (recorded?: History) => auditStore({ db: database.db, store }, recorded);
  const report = async (id: InvariantId, recorded?: History) =>
    (await audit(recorded)).reports.find((each) => each.id === id);
  const tamper = (statement: string) =>
    database.pool.query(`
      alter table throughline.events disable trigger user;
      ${statement};
      alter table throughline.events enable trigger user`);
  const three = () =>
    history.append(
      'a',
      did('ContextCreated', {}),
      did('StepOutputAdded', { stepId: 's', output: 1 }),
      did('StepOutputAdded', { stepId: 's', output: 'x'.repeat(2_000) }),
    );

  /** Adds a receipt to every other event. */
  const citing = (contextId: string) => (event: NewContextEvent, at: number) => {
    const read = JSON.stringify(['default', contextId, Math.ceil(at / 2)]);
    const basedOn = `r1.${Buffer.from(read).toString('base64url')}.c2ln`;
    return at % 2 === 1 ? { ...event, basedOn } : event;
  };

  it('reports no violation for histories of every kind of event, and compares rows byte for byte', async () => {
    const runs = fc.sample(contextCommands, { numRuns: sized(20, 60), seed: 20261121 });
    for (const [n, commands] of runs.entries())
      await history.append(`c-${n}`, ...contextFrom(commands).events.map(citing(`c-${n}`)));
    const begun = [...runs.entries()].filter(
      ([, commands]) => contextFrom(commands).events.length > 1,
    );
    for (const [n, commands] of begun) {
      const { events } = contextFrom(commands);
      const [version, again] = [Math.ceil(events.length / 2), events.slice(1)];
      const source = { contextId: `c-${n}`, version: events.length + 3 };
      await history.append(`c-${n}`, did('ContextRestored', { version }), ...again);
      await history.append(
        `c-${n}`,
        did('ContextRestored', { version: events.length + 1 }),
        ...again,
      );
      await history.append(`f-${n}`, did('ContextForked', { source }), ...again);
    }
    await project();
    const { reports, tables, lag, streams } = await audit();
    expect(reports.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    expect(reports.filter(({ verdict }) => verdict === 'held').map(({ id }) => id)).toEqual([
      'I2',
      'I3',
      'I6',
      'I8',
      'I9',
    ]);
    expect(tables.map(({ actual }) => actual)).toEqual(tables.map(({ folded }) => folded));
    expect(tables.map(({ rows }) => rows > 0)).toEqual([true, true, true, true, true, true]);
    expect(begun.length).toBeGreaterThan(runs.length / 3);
    expect([streams, lag]).toEqual([runs.length + begun.length, 0]);
  });

  it('covers every column of the read models', async () => {
    const { rows } = await database.pool.query<{ name: string }>(`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'throughline' and table_name in ('contexts', 'context_items', 'context_versions', 'context_agents', 'context_lineages', 'open_work')`);
    const columns = [
      'workspace',
      'context_id',
      'version',
      'hash',
      'created_at',
      'created_by',
      'create_key',
      'modified_at',
      'modified_by',
      'title',
      'status',
      'workflow_id',
      'parent',
      'bytes',
      'tokens',
      'activity',
      'lineage',
      'imported',
    ].map((name) => `contexts.${name}`);
    const items = ['workspace', 'context_id', 'kind', 'key', 'from_version', 'to_version'];
    const versions = ['workspace', 'context_id', 'version', 'recorded_at', 'principal'];
    const owned = ['workspace', 'context_id', 'kind', 'key', 'from_version'];
    const due = ['assignee', 'due', 'priority', 'opened_at'];
    const traces = ['event_id', 'correlation_id', 'causation_id', 'based_on', 'activity'];
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      [
        ...columns,
        ...[...items, 'state', 'body', 'body_position', 'body_bytes', 'sources'].map(
          (name) => `context_items.${name}`,
        ),
        ...[...versions, 'bytes', 'tokens', ...traces].map((name) => `context_versions.${name}`),
        ...['workspace', 'context_id', 'from_version', 'base_context_id', 'base_version'].map(
          (name) => `context_lineages.${name}`,
        ),
        ...['workspace', 'agent_id', 'context_id'].map((name) => `context_agents.${name}`),
        ...[...owned, ...due, 'state', 'body', 'sources'].map((name) => `open_work.${name}`),
      ].toSorted(),
    );
  });

  it('reports how far the rows are behind, and compares them at their version', async () => {
    await three();
    await project();
    await history.append('a', did('StepOutputAdded', { stepId: 's', output: 3 }));
    await history.append('b', did('ContextCreated', {}));
    expect(await audit()).toMatchObject({ lag: 2, events: 5 });
    expect(await report('I6')).toMatchObject({
      verdict: 'held',
      note: '2 events are not applied yet',
    });
  });

  it.each([
    [
      'a changed payload',
      'I9',
      `update throughline.events set data = '{"stepId":"s","output":9}' where version = 2`,
      /version 2, wrong-hash/,
    ],
    [
      'a removed event',
      'I2',
      'delete from throughline.events where version = 2',
      /version 3 follows 1/,
    ],
    [
      'an event id twice',
      'I3',
      'update throughline.events set event_id = (select event_id from throughline.events where version = 1) where version = 3',
      /is stored 2 times/,
    ],
    [
      'a row with another value',
      'I6',
      `update throughline.context_items set body = '7' where to_version is null and kind = 'step-output'`,
      /context_items: 1 unexpected rows, 1 missing rows/,
    ],
    [
      'a size that differs from that of the payload',
      'I6',
      'update throughline.context_items set body_bytes = 1 where body_position is not null',
      /context_items: 1 unexpected rows, 1 missing rows/,
    ],
    [
      'a payload in addition to a reference',
      'I6',
      `update throughline.context_items set body = '7' where body_position is not null`,
      /context_items: 1 unexpected rows, 1 missing rows/,
    ],
    [
      'a missing row',
      'I6',
      `delete from throughline.context_agents`,
      /context_agents: 0 unexpected rows, 1 missing/,
    ],
    [
      'rows that are behind their checkpoint',
      'I6',
      'update throughline.contexts set version = 2',
      /at version 2, but their checkpoint is after version 3/,
    ],
    [
      'a context without events',
      'I6',
      `insert into throughline.context_agents values ('default', 'x', 'ghost')`,
      /ghost: has rows and no events/,
    ],
  ] as const)('names %s', async (_what, id, statement, first) => {
    await three();
    await project();
    await tamper(statement);
    expect(await report(id)).toMatchObject({
      verdict: 'violated',
      first: expect.stringMatching(first),
    });
  });

  it('names an event that was acknowledged in a history but is not stored', async () => {
    await three();
    const stream = contextStream({ workspace: 'default', contextId: 'a' });
    const promised = historyOf([
      { kind: 'run', history: 1, scenario: 'test', seed: 1 },
      {
        kind: 'append',
        client: 'c',
        stream,
        inv: 1,
        ret: 2,
        count: 1,
        outcome: 'ok',
        version: 4,
        eventIds: ['00000000-0000-4000-8000-000000000000'],
      },
    ]);
    expect((await report('I1', promised))?.first).toMatch(/version 4, is not in the log/);
    expect((await report('I4', promised))?.first).toMatch(/lost-write/);
  });

  it('does not check rows of another version of the projection', async () => {
    await three();
    await project();
    await database.pool.query('update throughline.projections set version = version - 1');
    expect(await report('I6')).toMatchObject({ verdict: 'not checked' });
  });

  it('ignores a context that is quarantined because of an unreadable event', async () => {
    await three();
    await history.append('a', did('ContextClosed', { poison: true } as never));
    await history.append('b', did('ContextCreated', {}));
    await project();
    const { rows } = await database.pool.query('select version from throughline.dead_letters');
    expect(rows).toEqual([{ version: 4 }]);
    expect(await report('I6')).toMatchObject({ verdict: 'held' });
  });
});
