import { createSecretKey } from 'node:crypto';

import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader } from '#read-models';
import { type ContextCommand, derivedFacts } from '#shared-context';
import { type TestDatabase, type TestServer, openTestDatabase, openTestServer } from '#testing';

import { rootPrincipal } from '../authentication/authentication.js';
import { CommandProcessor } from '../writing/command-processor.js';
import { prepareWrite } from '../writing/prepared-write.js';
import { TransformationStore } from './transformation-store.js';

const principal = rootPrincipal('w');
const key = createSecretKey(Buffer.alloc(32));
const total = 'project_metadata.total';

/** The writing part of a server process, which counts its lookups of transformations and its appends. */
type Process = Readonly<{ writer: CommandProcessor; lookups: () => number; appends: () => number }>;

describe('writes with derived values', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let reader: ContextReader;
  let transformations: TransformationStore;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    reader = new ContextReader(database.db, store);
    transformations = new TransformationStore(database.db);
  }, 120_000);
  afterAll(async () => {
    await store.close();
    await database.close();
    await server.close();
  });

  function start(): Process {
    let lookups = 0;
    let appends = 0;
    const ofProcess = new TransformationStore(database.db);
    const source = {
      find: (workspace: string) => {
        lookups++;
        return ofProcess.find(workspace);
      },
      mark: ofProcess.mark,
      findCached: (workspace: string) => {
        lookups++;
        return ofProcess.findCached(workspace);
      },
    };
    const events = { appended: () => void appends++ };
    const options = { appendTimeoutMs: 10_000, now: Date.now, events };
    const writer = new CommandProcessor(store, reader, source, options);
    return { writer, lookups: () => lookups, appends: () => appends };
  }

  const write = ({ writer }: Process, contextId: string, ...commands: readonly ContextCommand[]) =>
    writer.submit(prepareWrite({ principal, contextId, commands }, key));
  const create: ContextCommand = { type: 'CreateContext', data: {} };
  const output = (stepId: string, value: number): ContextCommand => ({
    type: 'AddStepOutput',
    data: { stepId, output: value },
  });

  it('look up transformations once per append with an output, and never for other writes', async () => {
    const process = start();
    await write(process, 'lookups', create);
    await write(process, 'lookups', { type: 'StartStep', data: { stepId: 's' } });
    await write(process, 'lookups', { type: 'SetPreferences', data: { values: { a: 1 } } });
    expect(process.lookups()).toBe(0);
    await write(process, 'lookups', output('s', 1));
    expect(process.lookups()).toBe(1);
    const before = process.appends();
    await Promise.all(
      [1, 2, 3, 4, 5].map((value) => write(process, 'lookups', output('s', value))),
    );
    const together = process.appends() - before;
    expect(together).toBeLessThan(5);
    expect(process.lookups()).toBe(1 + together);
  });

  it('leave values that agree with their sources, after any races of two processes', async () => {
    const sources = { left: 'context.left', right: 'context.right' };
    await transformations.put('w', 'total', {
      definition: {
        trigger: { step: 'left' },
        sources,
        operation: { kind: 'score', expression: 'left * 1000 + right' },
        destinations: [total],
      },
      by: 'admin',
    });
    const [left, right] = [start(), start()];
    await write(left, 'races', create);
    const refused: unknown[] = [];
    for (let n = 1; n <= 20; n++)
      for (const { status, ...rest } of await Promise.allSettled([
        write(left, 'races', output('left', n)),
        write(right, 'races', output('right', n)),
      ]))
        if (status === 'rejected') refused.push(rest);
    expect(refused).toEqual([]);
    const { state } = await reader.read(
      { workspace: 'w', contextId: 'races' },
      { kinds: ['derived'] },
    );
    const item = state.get('derived', total);
    expect(item && derivedFacts(item)).toMatchObject({ value: 20_020 });
  });

  it('apply transformations that another process stored before they began', async () => {
    const process = start();
    await write(process, 'fresh', create);
    const derivedBy = async (value: number) => {
      const written = await write(process, 'fresh', output('only', value));
      return written.kind === 'stored' ? written.events.map(({ type }) => type) : [];
    };
    expect(await derivedBy(1)).toEqual(['StepOutputAdded']);
    const definition = {
      trigger: { step: 'only' },
      sources: { value: 'context.only' },
      operation: { kind: 'propagate' as const },
      destinations: ['project_metadata.only'],
    };
    await transformations.put('w', 'only', { definition, by: 'admin' });
    expect(await derivedBy(2)).toEqual(['StepOutputAdded', 'ValueDerived']);
    const off = { ...definition, active: false };
    await transformations.put('w', 'only', { definition: off, by: 'admin' });
    expect(await derivedBy(3)).toEqual(['StepOutputAdded']);
  });

  it.each([
    ['without an idempotency key', undefined],
    ['with an idempotency key', { key: 'k', method: 'POST', path: '/', body: '{}' }],
  ])(
    'are stored however little room they leave for derived values, %s',
    async (name, idempotency) => {
      const process = start();
      await transformations.put('w', 'full', {
        definition: {
          trigger: { step: 'full' },
          sources: { value: 'context.full' },
          operation: { kind: 'propagate' as const },
          destinations: Array.from({ length: 8 }, (_, at) => `project_metadata.full${at}`),
        },
        by: 'admin',
      });
      const derivedBy = async (contextId: string, left: number) => {
        await write(process, contextId, create);
        const data = { stepId: 'full', output: 'x'.repeat(1_048_576 - left) };
        const commands = [{ type: 'AddStepOutput' as const, data }];
        const request = { principal, contextId, commands, ...(idempotency && { idempotency }) };
        const written = await process.writer.submit(prepareWrite(request, key));
        return written.kind === 'stored'
          ? written.events.slice(1).map(({ data }) => data)
          : written;
      };
      await expect(derivedBy(`${name} 1`, 16_000)).resolves.toHaveLength(8);
      const some = await derivedBy(`${name} 2`, 3_600);
      expect(some).toContainEqual(expect.objectContaining({ value: null }));
      expect(Object(some)).not.toHaveLength(8);
      await expect(derivedBy(`${name} 3`, 1_000)).resolves.toEqual([]);
    },
  );
});
