import { randomUUID } from 'node:crypto';

import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import { sql } from 'kysely';

import {
  ApplicationModule,
  ListContextsQuery,
  WriteContextCommand,
  rootPrincipal,
} from '#application';
import {
  cancelJob,
  confirmJob,
  findProgress,
  sharedContextProjection,
  startRebuild,
} from '#read-models';
import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';

import { loadConfig } from './config.js';
import { createLogger } from './logger.js';
import { PlatformModule } from './platform.module.js';
import { type Runtime, openRuntime } from './runtime.js';

const principal = rootPrincipal('default');
const tables = ['contexts', 'context_items', 'context_versions', 'context_agents'];

describe('a rebuild', () => {
  let server: TestServer;
  let database: TestDatabase;
  let runtime: Runtime;
  let app: INestApplicationContext;

  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    database = await openTestDatabase(server);
    const config = loadConfig({
      DATABASE_URL: database.connectionString,
      THROUGHLINE_LOG_LEVEL: 'warn',
      THROUGHLINE_ADMIN_KEY: 'a key for these tests',
    });
    runtime = await openRuntime(config, createLogger(config));
    const module = ApplicationModule.register(PlatformModule.forRuntime(runtime));
    app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
    for (let n = 0; n < 12; n++) {
      await write(`c-${n}`, { type: 'CreateContext', data: { title: `Number ${n}` } });
      await write(`c-${n}`, { type: 'AddStepOutput', data: { stepId: 's', output: n } });
      await write(`c-${n}`, { type: 'RecordDecision', data: { decision: 'd', topic: 't' } });
    }
    await caughtUp();
  });

  afterEach(async () => {
    await app.close();
    await runtime.close();
    await database.close();
  });

  const write = (contextId: string, ...commands: WriteContextCommand['request']['commands']) =>
    app.get(CommandBus).execute(new WriteContextCommand({ principal, contextId, commands }));
  const list = () => app.get(QueryBus).execute(new ListContextsQuery({ principal, limit: 50 }));
  const caughtUp = async () => {
    while ((await runtime.projector.lag()) !== 0) await nextTick();
  };
  const ended = async (jobId: string, ...states: string[]) => {
    for (;;) {
      const job = await findProgress(runtime.db, jobId);
      if (job && states.includes(job.state)) return job;
      await nextTick();
    }
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

  it('makes the rows that are there, byte for byte, and goes on with them', async () => {
    const before = await rows();
    const job = await ended(await start(), 'switched', 'failed');
    expect(job).toMatchObject({
      state: 'switched',
      total: 36,
      applied: 36,
      compared: 12,
      different: 0,
    });
    expect(await rows()).toEqual(before);
    await write('c-3', { type: 'AddStepOutput', data: { stepId: 's', output: 'later' } });
    await write('new', { type: 'CreateContext', data: {} });
    await caughtUp();
    expect((await list()).page.items).toHaveLength(13);
  });

  it('keeps the names of indexes and keys, so that later migrations find them', async () => {
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

  it('is taken back by cancelling it after the switch: the old rows go on from where they stood', async () => {
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

  it('gives the old rows up once it is confirmed', async () => {
    const jobId = await start();
    await ended(jobId, 'switched', 'failed');
    expect(await schemas()).toHaveLength(2);
    await confirmJob(runtime.db, jobId);
    expect(await schemas()).toEqual(['throughline']);
  });

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

function nextTick(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 5));
}
