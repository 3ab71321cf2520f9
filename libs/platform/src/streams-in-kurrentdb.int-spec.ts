import { randomUUID } from 'node:crypto';

import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import { sql } from 'kysely';

import {
  ApplicationModule,
  FindContextQuery,
  InvalidPositionError,
  ListContextsQuery,
  ReadFeedQuery,
  WriteContextCommand,
  rootPrincipal,
} from '#application';
import { OutcomeUnknownError, StoreUnavailableError } from '#event-sourcing';
import { KurrentEventStore } from '#event-store-kurrentdb';
import { findProgress, listProjections, sharedContextProjection, startRebuild } from '#read-models';
import {
  HistoryWriter,
  type StandInKurrentDb,
  type TestDatabase,
  type TestServer,
  did,
  openStandIn,
  openTestDatabase,
  openTestServer,
  sized,
  waitFor,
} from '#testing';

import { loadConfig } from './config.js';
import { createLogger } from './logger.js';
import { PlatformModule } from './platform.module.js';
import { type Runtime, openRuntime } from './runtime.js';

const principal = rootPrincipal('default');
const created = did('ContextCreated', {});
const output = (n: number) => did('StepOutputAdded', { stepId: `s-${n}`, output: n });

/** All parts of a server except HTTP, with the KurrentDB stand-in. */
describe('a server with its streams in KurrentDB', () => {
  let server: TestServer;
  let kurrent: StandInKurrentDb;
  let database: TestDatabase;
  let namespace: string;
  let runtime: Runtime;
  let app: INestApplicationContext;

  beforeAll(async () => {
    [server, kurrent] = await Promise.all([openTestServer(), openStandIn()]);
  });
  afterAll(async () => {
    await kurrent.close();
    await server.close();
  });

  beforeEach(async () => {
    database = await openTestDatabase(server);
    namespace = kurrent.namespace();
    await start();
  });
  afterEach(async () => {
    await stop();
    await database.close();
  });

  const environment = () => ({
    DATABASE_URL: database.connectionString,
    EVENTSTORE_URL: kurrent.connectionString,
    EVENTSTORE_NAMESPACE: namespace,
    THROUGHLINE_LOG_LEVEL: 'silent',
    THROUGHLINE_ADMIN_KEY: 'a key for these tests',
  });
  const start = async (changed: Record<string, string> = {}) => {
    const config = loadConfig({ ...environment(), ...changed });
    runtime = await openRuntime(config, createLogger(config));
    const module = ApplicationModule.register(PlatformModule.forRuntime(runtime));
    app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  };
  const stop = async () => {
    await app.close();
    await runtime.close();
  };
  const write = (
    contextId: string,
    command: WriteContextCommand['request']['commands'][number],
    idempotencyKey?: string,
  ) =>
    app.get(CommandBus).execute(
      new WriteContextCommand({
        principal,
        contextId,
        commands: [command],
        ...(idempotencyKey !== undefined && {
          idempotency: { key: idempotencyKey, method: 'POST', path: '/', body: '{}' },
        }),
      }),
    );
  const create = (contextId: string) => write(contextId, { type: 'CreateContext', data: {} });
  const addOutput = (contextId: string, n: number) =>
    write(contextId, { type: 'AddStepOutput', data: { stepId: `s-${n}`, output: n } });
  const find = (contextId: string) =>
    app.get(QueryBus).execute(new FindContextQuery({ principal, contextId }));
  const list = () => app.get(QueryBus).execute(new ListContextsQuery({ principal, limit: 50 }));
  const caughtUp = () =>
    waitFor(
      'rows that have caught up with the log',
      // The query may fail directly after an outage.
      () => runtime.projector.lag().catch((error: unknown) => error),
      { until: (lag) => lag === 0 },
    );
  const status = async () => (await listProjections(runtime))[0];
  const rebuild = async () => {
    const jobId = randomUUID();
    const request = { projection: sharedContextProjection, requestedBy: 'admin' };
    await startRebuild(runtime.db, jobId, { ...request, verify: 'all' });
    return waitFor('a rebuild that has switched', () => findProgress(runtime.db, jobId), {
      until: (job) => (job?.switchedAt ?? null) !== null,
    });
  };

  it('stores every event in KurrentDB and none in PostgreSQL, and reads them after a restart', async () => {
    await create('a');
    await addOutput('a', 1);
    await caughtUp();
    await stop();
    await start();
    await addOutput('a', 2);
    expect(await find('a')).toMatchObject({ document: { _version: 3 } });
    await caughtUp();
    expect(await list()).toMatchObject({
      page: { items: [{ contextId: 'a', version: 3 }] },
      lag: 0,
    });
    const { rows } = await sql`select from throughline.events`.execute(database.db);
    expect(rows).toEqual([]);
    expect(await status()).toMatchObject({
      state: 'live',
      lagEvents: 0,
      lagSeconds: 0,
      storeIdentity: await runtime.store.identity(),
    });
  });

  it('stores concurrent writes of two servers to one context, also with slow commits', async () => {
    const first = { app, runtime };
    await create('a');
    await start();
    await kurrent.faults.switch({ fault: 'slow-commits', milliseconds: 500 });
    const add = (bus: CommandBus, stepId: string) =>
      bus.execute(
        new WriteContextCommand({
          principal,
          contextId: 'a',
          commands: [{ type: 'AddStepOutput', data: { stepId, output: 1 } }],
        }),
      );
    const addAll = async (bus: CommandBus, name: string) => {
      for (const n of [1, 2, 3, 4]) await add(bus, `${name}-${n}`);
    };
    const buses = [first.app.get(CommandBus), app.get(CommandBus)];
    await Promise.all(buses.map((bus, n) => addAll(bus, `server-${n}`)));
    await kurrent.faults.switch({ fault: 'slow-commits', milliseconds: 0 });
    expect(await find('a')).toMatchObject({ document: { _version: 9 } });
    await first.app.close();
    await first.runtime.close();
  });

  it.each(sized([60], [20, 60, 500]))(
    'stores a single write while another process writes to the same context continuously, with commits of %d ms',
    async (milliseconds) => {
      const busy = { app, runtime };
      await create('a');
      await start();
      await kurrent.faults.switch({ fault: 'slow-commits', milliseconds });
      let isStored = false;
      const writeOn = async (writer: number) => {
        for (let n = 0; !isStored; n++)
          await busy.app.get(CommandBus).execute(
            new WriteContextCommand({
              principal,
              contextId: 'a',
              commands: [
                { type: 'AddStepOutput', data: { stepId: `busy-${writer}-${n}`, output: n } },
              ],
            }),
          );
      };
      const writing = Promise.all([0, 1, 2, 3].map(writeOn));
      await waitFor('events of the busy process', () => find('a'), {
        until: (found) => Number(Object(found).document._version) > 4,
      });
      try {
        const written = await addOutput('a', 1);
        expect(written).toMatchObject({ events: [{ type: 'StepOutputAdded' }] });
      } finally {
        isStored = true;
        await writing;
      }
      await kurrent.faults.switch({ fault: 'slow-commits', milliseconds: 0 });
      await busy.app.close();
      await busy.runtime.close();
    },
  );

  it('returns the first answer for a write that is repeated with its idempotency key, also after a restart', async () => {
    await create('a');
    const add = () =>
      write('a', { type: 'AddStepOutput', data: { stepId: 's', output: 1 } }, 'key-1');
    const first = await add();
    expect(await add()).toEqual(first);
    await stop();
    await start();
    await addOutput('a', 2);
    expect(await add()).toEqual(first);
    expect(await runtime.store.readStream('context-default:a', { limit: 9 })).toHaveLength(3);
  });

  it('pages through the feed by its positions, and refuses unknown positions', async () => {
    await create('a');
    await addOutput('a', 1);
    const feed = (after: string) =>
      app.get(QueryBus).execute(new ReadFeedQuery({ principal, after, limit: 1 }));
    const first = await feed('start');
    const second = await feed(first.nextCursor);
    expect([first, second].map(({ items }) => items[0]?.['version'])).toEqual([1, 2]);
    expect(await feed(second.nextCursor)).toMatchObject({ items: [] });
    const [commit = ''] = first.nextCursor.split('/');
    for (const unknown of ['1', `${BigInt(commit) + 1n}/${BigInt(commit) + 1n}`, '1/1'])
      await expect(feed(unknown)).rejects.toThrow(InvalidPositionError);
  });

  it('reports the exact lag of lists up to a thousand events, and null beyond', async () => {
    await create('a');
    await caughtUp();
    await stop();
    await start({ PROJECTOR: 'external' });
    const history = new HistoryWriter(runtime.store);
    await history.append('b', created, ...Array.from({ length: 30 }, (_, n) => output(n)));
    expect(await list()).toMatchObject({ lag: 31 });
    expect(await status()).toMatchObject({ lagEvents: 31, state: 'stuck' });
    for (let round = 0; round < 2; round++)
      await history.append('b', ...Array.from({ length: 500 }, (_, n) => output(n)));
    expect(await list()).toMatchObject({ lag: null });
    const behind = await status();
    expect(behind).toMatchObject({ lagEvents: null });
    expect(behind?.lagSeconds).toBeGreaterThan(0);
    expect(await runtime.metrics.registry.metrics()).not.toMatch(
      /^throughline_projection_lag_events\{/m,
    );
    runtime.startProjection();
    await caughtUp();
    expect(await list()).toMatchObject({ lag: 0 });
  });

  it('rebuilds its read models without a total that is known in advance', async () => {
    for (const contextId of ['a', 'b', 'c']) {
      await create(contextId);
      await addOutput(contextId, 1);
    }
    await caughtUp();
    expect(await rebuild()).toMatchObject({
      state: 'switched',
      total: 6,
      applied: 6,
      compared: 3,
      different: 0,
    });
    await addOutput('a', 2);
    await caughtUp();
    expect(await find('a')).toMatchObject({ document: { _version: 3 } });
  });

  it('does not use the rows of another log until they are rebuilt', async () => {
    await create('a');
    await caughtUp();
    await stop();
    namespace = kurrent.namespace();
    const { connectionString } = kurrent;
    const moved = new KurrentEventStore({ connectionString, namespace });
    const history = new HistoryWriter(moved);
    await history.append('b', created);
    await expect(start()).rejects.toThrow(
      /^EVENTSTORE_URL: context default\/a has rows of version 1, .* ends at version 0: /,
    );
    await history.append('a', created);
    await moved.close();
    await start();
    expect(await list()).toMatchObject({ lag: 2 });
    expect(await status()).toMatchObject({
      state: 'stuck',
      lagEvents: 2,
      reason: expect.stringContaining('another event store'),
    });
    expect(await rebuild()).toMatchObject({ state: 'switched', total: 2 });
    await caughtUp();
    expect(await status()).toMatchObject({ lagEvents: 0 });
  });

  it('refuses an empty log if the database has rows of another one, and accepts it in an empty database', async () => {
    await stop();
    namespace = kurrent.namespace();
    await start();
    await create('a');
    await caughtUp();
    const inPostgres = { ...environment(), EVENTSTORE_URL: '' };
    for (const env of [
      { ...environment(), EVENTSTORE_NAMESPACE: kurrent.namespace() },
      inPostgres,
    ]) {
      const config = loadConfig(env);
      await expect(openRuntime(config, createLogger(config))).rejects.toThrow(
        /^EVENTSTORE_URL: .*has no events/,
      );
    }
  });

  it('is not ready while KurrentDB is down, refuses writes in time, and continues when KurrentDB is back', async () => {
    await create('a');
    await stop();
    await start({ THROUGHLINE_APPEND_TIMEOUT_MS: '3000' });
    expect(await runtime.readiness()).toEqual({
      ready: true,
      checks: { database: 'answers', eventStore: 'answers' },
    });
    await kurrent.faults.switch({ fault: 'stop-node', node: 0 });
    expect(await runtime.readiness()).toEqual({
      ready: false,
      checks: { database: 'answers', eventStore: 'does not answer' },
    });
    const refusal = await addOutput('a', 1).catch((error: unknown) => error);
    expect([StoreUnavailableError, OutcomeUnknownError]).toContain(
      refusal instanceof Error ? refusal.constructor : undefined,
    );
    await kurrent.faults.switch({ fault: 'start-node', node: 0 });
    await waitFor('a runtime that is ready', () => runtime.readiness(), {
      until: ({ ready }) => ready,
    });
    await addOutput('a', 2);
    await caughtUp();
    expect(await find('a')).toMatchObject({ document: { status: 'open' } });
  });
});
