import { randomUUID } from 'node:crypto';

import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import { sql } from 'kysely';

import {
  ApplicationModule,
  FindContextQuery,
  ListContextsQuery,
  WriteContextCommand,
  rootPrincipal,
} from '#application';
import {
  JobStateError,
  RebuildUnderWayError,
  buildNames,
  listJobs,
  listProjections,
  sharedContextVersion,
  cancelJob,
  confirmJob,
  findProgress,
  sharedContextProjection,
  startRebuild,
} from '#read-models';
import {
  HistoryWriter,
  type TestDatabase,
  type TestServer,
  copyTestDatabase,
  did,
  openTestDatabase,
  openTestServer,
  sized,
  waitForProjector,
  waitFor,
} from '#testing';

import { loadConfig } from './config.js';
import { createLogger } from './logger.js';
import { PlatformModule } from './platform.module.js';
import { type Runtime, openRuntime } from './runtime.js';

const principal = rootPrincipal('default');
const tables = [
  'contexts',
  'context_items',
  'context_versions',
  'context_agents',
  'context_lineages',
  'open_work',
];

describe('a rebuild', () => {
  let server: TestServer;
  /** A filled database; every test starts with a copy of it. */
  let template: TestDatabase;
  let database: TestDatabase;
  let runtime: Runtime;
  let app: INestApplicationContext;

  beforeAll(async () => {
    server = await openTestServer();
    template = await openTestDatabase(server);
    await enter(template);
    for (let n = 0; n < 12; n++) {
      await write(`c-${n}`, { type: 'CreateContext', data: { title: `Number ${n}` } });
      const handover = { handoverId: 'h', to: `agent-${n % 3}`, note: 'n' };
      await write(`c-${n}`, { type: 'NoteHandover', data: handover });
      await write(`c-${n}`, { type: 'AddStepOutput', data: { stepId: 's', output: n } });
      await write(`c-${n}`, { type: 'RecordDecision', data: { decision: 'd', topic: 't' } });
    }
    await caughtUp();
    await leave();
  });
  afterAll(() => server.close());

  beforeEach(async () => enter(await copyTestDatabase(server, template)));
  afterEach(() => leave());

  const enter = async (entered: TestDatabase) => {
    database = entered;
    runtime = await open();
    const module = ApplicationModule.register(PlatformModule.forRuntime(runtime));
    app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  };
  const leave = async () => {
    await app.close();
    await runtime.close();
    await database.close();
  };
  const open = () => {
    const config = loadConfig({
      DATABASE_URL: database.connectionString,
      THROUGHLINE_LOG_LEVEL: 'silent',
      THROUGHLINE_ADMIN_KEY: 'a key for these tests',
    });
    return openRuntime(config, createLogger(config));
  };
  const write = (contextId: string, ...commands: WriteContextCommand['request']['commands']) =>
    app.get(CommandBus).execute(new WriteContextCommand({ principal, contextId, commands }));
  const list = () => app.get(QueryBus).execute(new ListContextsQuery({ principal, limit: 50 }));
  const caughtUp = async () => {
    await waitForProjector(runtime.projector);
  };
  const ended = async (jobId: string, ...states: string[]) => {
    const job = await waitFor(
      `a job that is ${states.join(' or ')}`,
      () => findProgress(runtime.db, jobId),
      { until: (found) => states.includes(found?.state ?? '') },
    );
    if (!job) throw new Error('the job was there');
    return job;
  };
  const start = async () => {
    const job = await startRebuild(runtime.db, randomUUID(), {
      projection: sharedContextProjection,
      verify: 'all',
      requestedBy: 'admin',
    });
    return job.jobId;
  };
  const rows = async () => {
    const all = await Promise.all(
      tables.map((table) =>
        sql<{ row: string }>`
          select t::text as row from ${sql.table(`throughline.${table}`)} t`.execute(runtime.db),
      ),
    );
    return all.map((result) => result.rows.map(({ row }) => row).toSorted());
  };

  it('produces the same rows, byte for byte, and continues with them', async () => {
    const before = await rows();
    const job = await ended(await start(), 'switched', 'failed');
    expect(job).toMatchObject({
      state: 'switched',
      total: 48,
      applied: 48,
      compared: 12,
      different: 0,
    });
    expect(await rows()).toEqual(before);
    await write('c-3', { type: 'AddStepOutput', data: { stepId: 's', output: 'later' } });
    await write('new', { type: 'CreateContext', data: {} });
    await caughtUp();
    expect((await list()).page.items).toHaveLength(13);
  });

  it('produces the rows of restores and forks, independent of the lane of their sources', async () => {
    for (let n = 0; n < 12; n++) {
      const fork = { type: 'ForkContext', data: { source: { contextId: `c-${n}`, version: 3 } } };
      await write(`c-${n}`, { type: 'RestoreContext', data: { version: 2 } });
      await write(`f-${n}`, { ...fork, type: 'ForkContext' });
      await write(`f-${n}`, { type: 'AddStepOutput', data: { stepId: 's', output: 'own' } });
    }
    await caughtUp();
    const before = await rows();
    const job = await ended(await start(), 'switched', 'failed');
    expect(job).toMatchObject({ state: 'switched', compared: 24, different: 0 });
    expect(await rows()).toEqual(before);
  });

  it('preserves the names of indexes and keys, so that later migrations find them', async () => {
    const before = await definitions();
    await ended(await start(), 'switched', 'failed');
    expect(await definitions()).toEqual(before);
  });

  it('fills tables that were emptied', async () => {
    const before = await rows();
    for (const table of tables)
      await sql`truncate ${sql.table(`throughline.${table}`)}`.execute(runtime.db);
    expect((await ended(await start(), 'switched', 'failed')).state).toBe('switched');
    expect(await rows()).toEqual(before);
  });

  it('is reverted by cancelling it after the switch: the old rows become live again and catch up', async () => {
    const jobId = await start();
    await ended(jobId, 'switched', 'failed');
    await write('c-3', { type: 'AddStepOutput', data: { stepId: 's', output: 'later' } });
    await caughtUp();
    const newRows = await rows();
    await cancelJob(runtime.db, jobId);
    await caughtUp();
    expect(await rows()).toEqual(newRows);
    expect(await schemas()).toEqual(['throughline']);
  });

  it('deletes the old rows after confirmation', async () => {
    const jobId = await start();
    await ended(jobId, 'switched', 'failed');
    expect(await schemas()).toHaveLength(2);
    await confirmJob(runtime.db, jobId);
    expect(await schemas()).toEqual(['throughline']);
  });

  it('is started by code with a newer projection version', async () => {
    await sql`update throughline.projections set version = 1`.execute(runtime.db);
    await waitFor('a rebuild that has switched', () => listJobs(runtime.db, 1), {
      until: ([job]) => job?.state === 'switched',
    });
    const [projection] = await listProjections(runtime);
    expect(projection).toMatchObject({ version: sharedContextVersion, lagEvents: 0 });
    expect((await listJobs(runtime.db, 10)).length).toBe(1);
  });

  it('never shows partial rows to readers while it switches back and forth', async () => {
    const reading = new AbortController();
    const readers = ['c-1', 'c-2', 'c-3'].map(async (contextId) => {
      const expected = await read(contextId);
      let reads = 0;
      for (; !reading.signal.aborted; reads++) {
        expect(await read(contextId)).toEqual(expected);
        expect((await list()).page.items).toHaveLength(12);
        expect(await read(contextId, '1')).toMatchObject({ version: 1 });
      }
      return reads;
    });
    for (let n = 0; n < sized(1, 3); n++) {
      const jobId = await start();
      await ended(jobId, 'switched', 'failed');
      await cancelJob(runtime.db, jobId);
    }
    reading.abort();
    const reads = await Promise.all(readers);
    expect(Math.min(...reads)).toBeGreaterThan(0);
  });

  it('replaces rows that followed another log', async () => {
    await sql`update throughline.projections set store_identity = 'another'`.execute(runtime.db);
    await sql`update throughline.projection_partitions set position = '999999'`.execute(runtime.db);
    await ended(await start(), 'switched', 'failed');
    await write('c-3', { type: 'AddStepOutput', data: { stepId: 's', output: 'later' } });
    await caughtUp();
    expect((await listProjections(runtime))[0]?.state).toBe('live');
  });

  it('continues after the process that ran it was killed', async () => {
    const history = new HistoryWriter(runtime.store);
    const outputs = Array.from({ length: 400 }, (_, n) =>
      did('StepOutputAdded', { stepId: `s${n % 7}`, output: n }),
    );
    for (const contextId of ['long-1', 'long-2', 'long-3'])
      await history.append(contextId, did('ContextCreated', {}), ...outputs);
    await caughtUp();
    const before = await rows();
    const { jobId } = await startRebuild(runtime.db, randomUUID(), {
      projection: sharedContextProjection,
      verify: 'all',
      requestedBy: 'admin',
      rate: 300,
    });
    await waitFor('an event applied by the job', () => findProgress(runtime.db, jobId), {
      until: (job) => (job?.applied ?? 0) > 0,
    });
    await runtime.close();
    const interrupted = await findProgress(database.db, jobId);
    expect(interrupted).toMatchObject({ state: 'running', phase: 'copying' });
    // Simulates a killed process, which could not release the job.
    await sql`update throughline.jobs set owner = ${randomUUID()}, rate = null`.execute(
      database.db,
    );
    runtime = await open();
    const done = await ended(jobId, 'switched', 'failed');
    expect(done).toMatchObject({ state: 'switched', different: 0 });
    expect(interrupted?.applied).toBeGreaterThan(0);
    expect(await eventsApplied()).toBe(done.total);
    expect(await rows()).toEqual(before);
  });

  it('runs one at a time, and deletes the old rows of the previous one', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(RebuildUnderWayError);
    await ended(first, 'switched', 'failed');
    const second = await start();
    await ended(second, 'switched', 'failed');
    await expect(findProgress(runtime.db, first)).resolves.toMatchObject({ state: 'done' });
    await expect(cancelJob(runtime.db, first)).rejects.toThrow(JobStateError);
    expect(await schemas()).toHaveLength(2);
  });

  it('leaves nothing if it is cancelled before a process takes it', async () => {
    await runtime.close();
    const { db } = database;
    const job = await startRebuild(db, randomUUID(), {
      projection: sharedContextProjection,
      verify: 'sample',
      requestedBy: 'admin',
    });
    await expect(cancelJob(db, job.jobId)).resolves.toMatchObject({ state: 'cancelled' });
    await expect(confirmJob(db, job.jobId)).rejects.toThrow(JobStateError);
    runtime = await open();
  });

  it('starts over if the tables were migrated since it began', async () => {
    await runtime.close();
    const { db } = database;
    const job = await startRebuild(db, randomUUID(), {
      projection: sharedContextProjection,
      verify: 'all',
      requestedBy: 'admin',
    });
    const { building, buildSchema } = buildNames(job);
    await sql`create schema ${sql.id(buildSchema)}`.execute(db);
    await sql`create table ${sql.table(`${buildSchema}.contexts`)} (old_shape text)`.execute(db);
    await sql`
      insert into throughline.projections (projection, version, store_identity)
      values (${building}, ${sharedContextVersion}, 'any')`.execute(db);
    await sql`update throughline.jobs set schema_version = 'older'`.execute(db);
    runtime = await open();
    const done = await ended(job.jobId, 'switched', 'failed');
    expect(done).toMatchObject({ state: 'switched', applied: 48, different: 0 });
  });

  /** The number of applied events, before and after the kill. */
  const eventsApplied = async () => {
    const [projection] = await listProjections(runtime);
    return projection?.partitions.reduce((sum, { events }) => sum + events, 0);
  };
  const read = (contextId: string, asOf?: string) =>
    app.get(QueryBus).execute(new FindContextQuery({ principal, contextId, asOf }));
  const definitions = async () =>
    (
      await sql`select indexname, indexdef from pg_indexes where schemaname = 'throughline' order by 1`.execute(
        runtime.db,
      )
    ).rows;
  const schemas = async () =>
    (
      await sql<{ name: string }>`
        select nspname as name from pg_namespace where nspname like 'throughline%' order by 1`.execute(
        runtime.db,
      )
    ).rows.map(({ name }) => name);
});
