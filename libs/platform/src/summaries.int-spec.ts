import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import { sql } from 'kysely';

import {
  ApplicationModule,
  ChangeSettingsCommand,
  FindContextQuery,
  ForkContextCommand,
  ListEventsQuery,
  RestoreContextCommand,
  WriteContextCommand,
  rootPrincipal,
} from '#application';
import { type JsonObject } from '#event-sourcing';
import { type ContextCommand } from '#shared-context';
import {
  ModelServer,
  type TestDatabase,
  type TestServer,
  openTestDatabase,
  openTestServer,
  waitFor,
} from '#testing';

import { loadConfig } from './config.js';
import { createLogger } from './logger.js';
import { PlatformModule } from './platform.module.js';
import { openProjectorRuntime } from './projector-runtime.js';
import { type Runtime, openRuntime } from './runtime.js';

const principal = rootPrincipal('default');
/** Two of these texts exceed the threshold. */
const long = (name: string) => `${name} ${'lorem ipsum dolor '.repeat(150)}`;

describe('summaries', () => {
  let server: TestServer;
  let database: TestDatabase;
  let models: ModelServer;
  let runtime: Runtime;
  let app: INestApplicationContext;

  beforeAll(async () => {
    server = await openTestServer();
  });

  beforeEach(async () => {
    database = await openTestDatabase(server);
    models = await ModelServer.open();
    models.model = () => ({ says: `Summary ${models.calls.length}.` });
    runtime = await open();
    const module = ApplicationModule.register(PlatformModule.forRuntime(runtime));
    app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  });

  afterEach(async () => {
    await app.close();
    await runtime.close();
    await models.close();
    await database.close();
  });

  afterAll(() => server.close());

  const open = () => openRuntime(environment(), createLogger(environment()));
  const environment = (changed: Readonly<Record<string, string>> = {}) =>
    loadConfig({
      DATABASE_URL: database.connectionString,
      THROUGHLINE_LOG_LEVEL: 'silent',
      THROUGHLINE_ADMIN_KEY: 'a key for these tests',
      THROUGHLINE_SUMMARIZER: 'openai',
      THROUGHLINE_SUMMARIZER_URL: models.url,
      THROUGHLINE_SUMMARIZER_MODEL: 'm-1',
      THROUGHLINE_SUMMARIZER_THRESHOLD: '1000',
      THROUGHLINE_SUMMARIZER_TIMEOUT_MS: '20000',
      ...changed,
    });
  const write = (contextId: string, ...commands: ContextCommand[]) =>
    app.get(CommandBus).execute(new WriteContextCommand({ principal, contextId, commands }));
  const output = (stepId: string, visibility: 'record' | 'working' = 'record') =>
    ({ type: 'AddStepOutput', data: { stepId, output: long(stepId) }, visibility }) as const;
  const create = (contextId: string, ...commands: ContextCommand[]) =>
    write(contextId, { type: 'CreateContext', data: {} }, ...commands);
  const summaries = async (contextId: string) => {
    const query = new FindContextQuery({ principal, contextId, asOf: undefined });
    const { document } = await app.get(QueryBus).execute(query);
    return document['summaries'] as JsonObject[];
  };
  const summarized = (contextId: string, count: number) =>
    waitFor(`${count} summaries of ${contextId}`, () => summaries(contextId), {
      until: ({ length }) => length >= count,
    });
  const metric = async (outcome: string) => {
    const { values } = await runtime.metrics.summaries.get();
    return values.find(({ labels }) => labels['outcome'] === outcome)?.value;
  };
  /** Resolves when no context is due for a summary. */
  const settled = async () => {
    const countDue = async () => {
      if ((await runtime.projector.lag()) !== 0) return 'unknown while rows lag';
      const { rows } = await sql<{ due: number }>`
        select count(*)::int as due from throughline.contexts c
        left join throughline.summary_places p using (workspace, context_id)
        where p.lease is not null
          or c.status = 'open' and c.tokens - coalesce(p.tokens, 0) >= 1000 and p.next_at is null`.execute(
        runtime.db,
      );
      return rows[0]?.due;
    };
    await waitFor('no context that is due', countDue, { until: (due) => due === 0 });
  };

  it('cover the content of a context when it exceeds the threshold, and later its new content', async () => {
    await create('c', output('one'));
    await settled();
    expect(models.calls).toHaveLength(0);
    await write(
      'c',
      { type: 'RecordDecision', data: { decision: 'Use jose', topic: 'jwt' } },
      output('two'),
    );
    const [first] = await summarized('c', 1);
    expect(first).toEqual({
      summaryId: expect.any(String),
      text: 'Summary 1.',
      covers: { from: 2, to: 4 },
      sources: ['step-output:one', 'step-output:two'],
      model: 'm-1',
      promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      tokens: { input: 1200, output: 34 },
      timestamp: expect.any(String),
      version: 5,
    });
    expect(models.calls[0]?.material).toContain(long('one').trimEnd());
    expect(models.calls[0]?.material).not.toContain('Use jose');
    await write('c', output('three'), output('four'));
    const [, second] = await summarized('c', 2);
    expect(second).toMatchObject({
      text: 'Summary 2.',
      covers: { from: 2, to: 7 },
      sources: ['step-output:three', 'step-output:four'],
      previous: first?.['summaryId'],
    });
    const material = models.calls[1]?.material;
    expect(material).toContain('# Summary so far\n\n```\nSummary 1.\n```');
    expect(material).not.toContain(long('one').trimEnd());
    await settled();
    expect(models.calls).toHaveLength(2);
    expect(await metric('ok')).toBe(2);
    expect(await metric('failed')).toBe(0);
  });

  it('have the visibility "working" if they cover a working event', async () => {
    await create('c', output('one'), output('two', 'working'));
    await summarized('c', 1);
    const query = new ListEventsQuery({ principal, contextId: 'c', after: 0, limit: 10 });
    const { page } = await app.get(QueryBus).execute(query);
    expect(page.items.at(-1)).toMatchObject({
      type: 'SummaryAdded',
      visibility: 'working',
      principal: 'key:summarizer',
    });
  });

  it('catch up with a long context in portions, each based on the previous summary', async () => {
    await create('c', ...Array.from({ length: 12 }, (_, n) => output(`s-${n}`)));
    const found = await summarized('c', 6);
    expect(found.map(({ covers }) => covers)).toEqual(
      [3, 5, 7, 9, 11, 13].map((to) => ({ from: 2, to })),
    );
    expect(found.map(({ previous }) => previous)).toEqual([
      undefined,
      ...found.slice(0, -1).map(({ summaryId }) => summaryId),
    ]);
  });

  it('are not written for closed contexts or if the workspace disables them', async () => {
    await app.get(CommandBus).execute(new ChangeSettingsCommand(principal, { summaries: false }));
    await create('c', output('one'), output('two'), output('three'));
    const elsewhere = { ...principal, workspace: 'elsewhere' };
    const commands = [{ type: 'CreateContext', data: {} }, output('four'), output('five')] as const;
    const closing = [...commands, output('six'), { type: 'CloseContext', data: {} }] as const;
    const said = { principal: elsewhere, contextId: 'closed', commands: closing };
    await app.get(CommandBus).execute(new WriteContextCommand(said));
    const heard = { principal: elsewhere, contextId: 'open', commands };
    await app.get(CommandBus).execute(new WriteContextCommand(heard));
    // The context that has grown most is first, so after this summary the others would have been summarized too.
    await waitFor('one summary that is counted', () => metric('ok'), { until: (n) => n === 1 });
    expect(models.calls).toHaveLength(1);
    expect(models.calls[0]?.material).toContain('step-output:four');
    expect(models.calls[0]?.material).not.toContain('step-output:six');
    await app.get(CommandBus).execute(new ChangeSettingsCommand(principal, { summaries: null }));
    expect(await summarized('c', 1)).toMatchObject([{ text: 'Summary 2.' }]);
  });

  it('are discarded if a restore removed their content while the model wrote', async () => {
    await create('c', output('one'));
    models.model = async () => {
      if (models.calls.length === 1) {
        const request = { principal, contextId: 'c', version: 2 };
        await app.get(CommandBus).execute(new RestoreContextCommand(request));
      }
      return { says: `Summary ${models.calls.length}.` };
    };
    await write('c', output('two'));
    await settled();
    expect(await summaries('c')).toEqual([]);
    await write('c', output('three'));
    const [only] = await summarized('c', 1);
    expect(only).toMatchObject({
      text: 'Summary 2.',
      sources: ['step-output:one', 'step-output:three'],
    });
  });

  it('of a fork are based on inherited summaries', async () => {
    await create('c', output('one'), output('two'));
    const [inherited] = await summarized('c', 1);
    const request = { principal, contextId: 'c', atVersion: 4, forkId: 'fork' };
    await app.get(CommandBus).execute(new ForkContextCommand(request));
    await write('fork', output('three'), output('four'));
    const [, own] = await summarized('fork', 2);
    expect(own).toMatchObject({
      previous: inherited?.['summaryId'],
      covers: { from: 1, to: 3 },
      sources: ['step-output:three', 'step-output:four'],
    });
  });

  it('are written by an external projector', async () => {
    await app.close();
    await runtime.close();
    const external = environment({ PROJECTOR: 'external' });
    runtime = await openRuntime(external, createLogger(external));
    const module = ApplicationModule.register(PlatformModule.forRuntime(runtime));
    app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
    await create('c', output('one'), output('two'));
    const projector = await openProjectorRuntime(external, createLogger(external));
    try {
      expect(await summarized('c', 1)).toMatchObject([{ text: 'Summary 1.' }]);
      expect(await metric('ok')).toBe(0);
    } finally {
      await projector.close();
    }
  });

  it('are added once even if two processes request them', async () => {
    const other = await open();
    try {
      const bothRequested = Promise.withResolvers<void>();
      models.model = async () => {
        if (models.calls.length === 1)
          // Simulates a lease that expires while its holder still waits.
          await sql`delete from throughline.summary_places`.execute(runtime.db);
        else bothRequested.resolve();
        await bothRequested.promise;
        return { says: `Summary ${models.calls.length}.` };
      };
      await create('c', output('one'), output('two'));
      await summarized('c', 1);
      await settled();
      expect(models.calls).toHaveLength(2);
      expect(await summaries('c')).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it('are retried after a failure of the model, which changes nothing', async () => {
    models.model = () => ({ status: 500, text: 'no' });
    await create('c', output('one'), output('two'));
    await waitFor('one failure that is counted', () => metric('failed'), {
      until: (n) => n === 1,
    });
    expect(await summaries('c')).toEqual([]);
    models.model = () => ({ says: 'Back.' });
    const { rows } = await sql<{ failures: number; later: boolean }>`
      select failures, next_at > now() + interval '20 s' as later from throughline.summary_places`.execute(
      runtime.db,
    );
    expect(rows).toEqual([{ failures: 1, later: true }]);
    await sql`update throughline.summary_places set next_at = now()`.execute(runtime.db);
    expect(await summarized('c', 1)).toMatchObject([{ text: 'Back.' }]);
  });
});
