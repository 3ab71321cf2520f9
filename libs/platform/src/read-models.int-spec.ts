import { type INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import fc from 'fast-check';
import { sql } from 'kysely';

import {
  ApplicationModule,
  FindContextQuery,
  ListContextsQuery,
  RestoreContextCommand,
  SetPolicyCommand,
  WriteContextCommand,
  type WriteRequest,
  rootPrincipal,
} from '#application';
import { DomainError, type EventToAppend, openEnvelope } from '#event-sourcing';
import { Projector, projectEvents } from '#read-models';
import { type ContextCommand, contextStream, decodeEvent } from '#shared-context';
import {
  type TestDatabase,
  type TestServer,
  contextCommand,
  openTestDatabase,
  openTestServer,
  waitForProjector,
  sized,
} from '#testing';

import { loadConfig } from './config.js';
import { createLogger } from './logger.js';
import { PlatformModule } from './platform.module.js';
import { type Runtime, openRuntime } from './runtime.js';

const principal = rootPrincipal('default');

describe('read models', () => {
  let server: TestServer;
  let database: TestDatabase;
  let runtime: Runtime;
  let app: INestApplicationContext;

  beforeAll(async () => {
    server = await openTestServer();
  });

  beforeEach(async () => {
    database = await openTestDatabase(server);
    const config = loadConfig({
      DATABASE_URL: database.connectionString,
      THROUGHLINE_LOG_LEVEL: 'silent',
      THROUGHLINE_ADMIN_KEY: 'a key for these tests',
    });
    runtime = await openRuntime(config, createLogger(config));
    const module = ApplicationModule.register(PlatformModule.forRuntime(runtime));
    app = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  });

  afterEach(async () => {
    await app.close();
    await runtime.close();
    await database.close();
  });

  afterAll(() => server.close());

  const write = (contextId: string, ...commands: ContextCommand[]) =>
    app.get(CommandBus).execute(new WriteContextCommand({ principal, contextId, commands }));
  const read = (contextId: string, asOf?: string) =>
    app.get(QueryBus).execute(new FindContextQuery({ principal, contextId, asOf }));
  const list = (agent?: string) =>
    app.get(QueryBus).execute(new ListContextsQuery({ principal, agent, limit: 50 }));
  const caughtUp = async () => {
    await waitForProjector(runtime.projector);
  };

  it('equal the fold of all events, byte for byte', async () => {
    const histories = fc.sample(fc.array(contextCommand, { minLength: 5, maxLength: 25 }), {
      numRuns: sized(12, 40),
      seed: 20261121,
    });
    await Promise.all(
      histories.map(async (commands, n) => {
        await write(`c-${n}`, { type: 'CreateContext', data: {} });
        for (const command of commands) await unlessRefused(write(`c-${n}`, command));
      }),
    );
    await caughtUp();

    for (const n of histories.keys()) {
      const id = { workspace: 'default', contextId: `c-${n}` };
      const stored = await runtime.store.readStream(contextStream(id), { from: 1, limit: 500 });
      const [first, ...rest] = stored.map(decodeEvent);
      if (!first) throw new Error('every history begins with its creation');
      const { head, added, versions } = projectEvents(id, undefined, { find: () => undefined }, [
        first,
        ...rest,
      ]);
      await expect(itemRows(id.contextId)).resolves.toEqual(inOrder(added.map(itemRow)));
      await expect(rowsOf('context_versions', id.contextId)).resolves.toHaveLength(versions.length);
      const [row] = await rowsOf('contexts', id.contextId);
      expect(row).toMatchObject({
        version: head.version,
        hash: head.hash,
        bytes: BigInt(head.bytes),
        activity: JSON.stringify(head.activity),
      });
    }
  });

  it('give the same document at every version, however far the projection is', async () => {
    const [commands = []] = fc.sample(fc.array(contextCommand, { minLength: 20, maxLength: 20 }), {
      numRuns: 1,
      seed: 7,
    });
    await runtime.projector.stop();
    await write('c', { type: 'CreateContext', data: {} });
    for (const command of commands) await unlessRefused(write('c', command));
    const { version } = await read('c');
    const versions = Array.from({ length: version }, (_, n) => String(n + 1));
    const fromTail = await Promise.all(versions.map((asOf) => read('c', asOf)));
    const projector = new Projector(runtime.db, runtime.store);
    projector.start();
    await caughtUp();
    await projector.stop();
    expect(await Promise.all(versions.map((asOf) => read('c', asOf)))).toEqual(fromTail);
  });

  it('find the newest version at any time, projected or not, also if several versions have the same time', async () => {
    await write('timed', { type: 'CreateContext', data: {} });
    for (let n = 0; n < 12; n++)
      await write(
        'timed',
        ...Array.from({ length: 1 + (n % 4) }, (_, part) => ({
          type: 'AddStepOutput' as const,
          data: { stepId: `s${n}-${part}`, output: n },
        })),
      );
    const id = { workspace: 'default', contextId: 'timed' };
    const stored = await runtime.store.readStream(contextStream(id), { limit: 500 });
    const times = stored.map(({ metadata }) => openEnvelope(metadata).recordedAt);
    const queried = [...new Set(times), '2000-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'];
    const expected = queried.map((time) => times.filter((recorded) => recorded <= time).length);
    const versions = () => Promise.all(queried.map((time) => runtime.reader.versionAt(id, time)));
    expect(await versions()).toEqual(expected);
    await caughtUp();
    expect(await versions()).toEqual(expected);
  });

  it('let a writer read its own writes and list its context while the projector is stopped', async () => {
    await runtime.projector.stop();
    await write('still', { type: 'CreateContext', data: { title: 'Still' } });
    await write('still', { type: 'AddStepOutput', data: { stepId: 's', output: 1 } });
    expect((await read('still')).document).toMatchObject({
      title: 'Still',
      stepOutputs: { s: 1 },
      _version: 2,
    });
    expect(await list()).toMatchObject({
      page: { items: [{ contextId: 'still', title: 'Still' }] },
      lag: 2,
    });
  });

  it('are updated exactly once by two concurrent projectors', async () => {
    const second = new Projector(runtime.db, runtime.store);
    second.start();
    await write('two', { type: 'CreateContext', data: {} });
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        write('two', { type: 'AddStepOutput', data: { stepId: `s${n}`, output: n } }),
      ),
    );
    await caughtUp();
    await second.stop();
    await expect(rowsOf('context_versions', 'two')).resolves.toHaveLength(101);
    await expect(rowsOf('contexts', 'two')).resolves.toMatchObject([{ version: 101 }]);
  });

  it('set the context of an unreadable event aside, and continue with all others', async () => {
    await write('good', { type: 'CreateContext', data: {} });
    await write('bad', { type: 'CreateContext', data: {} });
    await caughtUp();
    const poison: EventToAppend = {
      eventId: crypto.randomUUID(),
      type: 'FromTheFuture',
      data: '{}',
      metadata: '{}',
    };
    await runtime.store.append('context-default:bad', [poison], 1);
    await write('good', { type: 'AddStepOutput', data: { stepId: 's', output: 1 } });
    await caughtUp();
    await expect(read('bad')).rejects.toMatchObject({ code: 'event-unreadable' });
    await expect(rowsOf('contexts', 'good')).resolves.toMatchObject([{ version: 2 }]);
    await expect(rowsOf('dead_letters', 'bad')).resolves.toMatchObject([
      { version: 2, error: expect.stringContaining('envelope') },
    ]);
  });

  it('refuse an act if the content visible to its author is unreadable, after the checks of access and idempotency', async () => {
    const show = [{ types: ['TaskPlanned', 'StepOutputAdded'] }];
    const bus = app.get(CommandBus);
    await bus.execute(new SetPolicyCommand(principal, 'planning', { show }));
    const narrow = { ...principal, isRoot: false, audiences: ['planning'] };
    const complete = { type: 'CompleteTask', data: { taskId: 't' } } as const;
    const idempotency = { key: 'k', method: 'POST', path: '/', body: '{}' };
    const request = { principal: narrow, contextId: 'c', commands: [complete], idempotency };
    await write('c', { type: 'CreateContext', data: {} });
    await write('c', { type: 'PlanTask', data: { taskId: 't', title: 't' } });
    const first = await bus.execute(new WriteContextCommand(request));
    await caughtUp();
    await database.pool.query(`
      begin; set local session_replication_role = replica;
      update throughline.events set metadata = '{}' where version = 2; commit`);

    const act = (rest: Partial<WriteRequest>) =>
      bus.execute(new WriteContextCommand({ ...request, idempotency: undefined, ...rest }));
    await expect(act({})).rejects.toMatchObject({ code: 'event-unreadable' });
    const elsewhere = { ...narrow, contexts: ['other'] };
    await expect(act({ principal: elsewhere })).rejects.toMatchObject({
      code: 'context-not-found',
    });
    await expect(act({ idempotency })).resolves.toEqual(first);
  });

  it.each([
    [1, { type: 'ContextRestored', data: { version: 7 } }],
    [Infinity, { code: 'concurrency-exhausted' }],
  ])(
    'restore to the end of a write if an automatic checkpoint moves %d times',
    async (times, expected) => {
      const bus = app.get(CommandBus);
      const output = { type: 'AddStepOutput', data: { stepId: 's', output: 1 } } as const;
      const set = { type: 'SetPreferences', data: { values: { a: 1 } } } as const;
      const commands = [set, output, { ...set, data: { values: { a: 2 } } }];
      const about = { principal, contextId: 'c' };
      const complete = new WriteContextCommand({ ...about, commands, origin: { agentId: 'pm' } });
      await write('c', { type: 'CreateContext', data: {} });
      await bus.execute(complete);

      const { reader } = runtime;
      const readAt = reader.readAt.bind(reader);
      let races = 0;
      // Stores another request between the read of the checkpoint and the write; only the write reads with a deadline.
      reader.readAt = async (id, version, selection, options) => {
        const found = await readAt(id, version, selection, options);
        if (!options && races++ < times) await bus.execute(complete);
        return found;
      };
      const request = { ...about, checkpoint: 'after:pm' };
      const [answer] = await Promise.allSettled([bus.execute(new RestoreContextCommand(request))]);
      const [newest] = await runtime.store.readStream('context-default:c', {
        direction: 'backwards',
        limit: 1,
      });
      const newestEvent = newest && decodeEvent(newest);
      expect(answer.status === 'rejected' ? answer.reason : newestEvent).toMatchObject(expected);
      expect(races).toBeLessThan(10);
    },
  );

  it('list contexts by the agents that wrote to them', async () => {
    await write('mine', { type: 'CreateContext', data: {} });
    await caughtUp();
    expect((await list('admin')).page.items).toMatchObject([{ contextId: 'mine' }]);
    expect((await list('nobody')).page.items).toEqual([]);
  });

  /** Item rows, with the payloads of the events that they refer to. */
  async function itemRows(contextId: string) {
    const { rows } = await sql<Record<string, unknown>>`
      select i.workspace, i.context_id, i.kind, i.key, i.from_version, i.to_version, i.state,
        coalesce(i.body, e.data) as body, i.sources
      from throughline.context_items i left join throughline.events e on e.position = i.body_position
      where i.context_id = ${contextId}`.execute(runtime.db);
    return inOrder(rows);
  }

  async function rowsOf(table: string, contextId: string) {
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.raw(`throughline.${table}`)} where context_id = ${contextId}`.execute(
      runtime.db,
    );
    return rows;
  }
});

type ProjectedItem = ReturnType<typeof projectEvents>['added'][number];

function itemRow({
  workspace,
  contextId,
  kind,
  key,
  fromVersion,
  toVersion,
  state,
  body,
  sources,
}: ProjectedItem) {
  return {
    workspace,
    context_id: contextId,
    kind,
    key: JSON.stringify(key).slice(1, -1),
    from_version: fromVersion,
    to_version: toVersion,
    state: JSON.stringify(state),
    body: body === undefined ? null : JSON.stringify(body),
    sources: sources ? JSON.stringify(sources.map(Object.values)) : null,
  };
}

function inOrder<Row extends Record<string, unknown>>(rows: readonly Row[]): Row[] {
  const sortKey = (row: Row) => JSON.stringify([row['kind'], row['key'], row['from_version']]);
  return rows.toSorted((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1));
}

async function unlessRefused(written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}
