import { createHash, createSecretKey } from 'node:crypto';

import { type EventStore, InMemoryEventStore } from '#event-sourcing';
import { KurrentEventStore } from '#event-store-kurrentdb';
import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader } from '#read-models';
import { type ContextCommand, StaleAttemptError } from '#shared-context';
import { type TestStore, openTestKurrentDb, useTestStore } from '#testing';
import { type RunCommand, advanceCommand, compileWorkflow, workflowDefinition } from '#workflow';

import { rootPrincipal } from '../authentication/authentication.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { CommandProcessor } from './command-processor.js';
import { prepareWrite } from './prepared-write.js';

const principal = rootPrincipal('w');
const key = createSecretKey(Buffer.alloc(32));
const id = { workspace: 'w', contextId: 'c' };
const hash = 'ab'.repeat(32);
const now = Date.UTC(2026, 10, 25, 18);
const executors = 5;

const workflow = compileWorkflow(
  workflowDefinition.parse({ id: 'one', steps: [{ id: 'only', type: 'agent', agent: 'coder' }] }),
);

type OpenedStore = Readonly<{ store: EventStore; rival: EventStore; close: () => Promise<void> }>;

/** Each store with a second connection to the same log, as in another process. */
const stores: Readonly<Record<string, (own: TestStore) => Promise<OpenedStore>>> = {
  memory: async () => {
    const store = new InMemoryEventStore();
    return { store, rival: store, close: async () => undefined };
  },
  PostgreSQL: async ({ store, pool }) => {
    const rival = new PostgresEventStore({ pool });
    return { store, rival, close: () => rival.close() };
  },
  KurrentDB: async () => {
    const server = await openTestKurrentDb();
    const { connectionString } = server;
    const namespace = server.namespace();
    const store = new KurrentEventStore({ connectionString, namespace });
    const rival = new KurrentEventStore({ connectionString, namespace });
    const close = async () => {
      await Promise.all([store.close(), rival.close()]);
      await server.close();
    };
    return { store, rival, close };
  },
};

describe.each(Object.keys(stores))('a waiting attempt, with streams in %s', (name) => {
  let opened: OpenedStore;
  let reached: PromiseWithResolvers<void>;
  let released: PromiseWithResolvers<void>;
  // Must run before the hook that closes the connections to the database.
  afterEach(() => opened.close());
  const on = useTestStore();

  beforeEach(async () => {
    const open = stores[name];
    if (!open) throw new Error(`there is no store "${name}"`);
    opened = await open(on);
    const writer = start(opened.store);
    await submit(writer, { type: 'CreateContext', data: {} });
    const definition = { definitionId: 'one', version: 1, hash };
    await advance(writer, { type: 'start', definition, input: null, by: 'admin' });
  });

  /** The part of an executor in its own process that writes. */
  const start = (store: EventStore) => {
    const reader = new ContextReader(on.db, store);
    const options = { appendTimeoutMs: 10_000, now: () => now };
    return new CommandProcessor(store, reader, new TransformationStore(on.db), options);
  };
  const submit = (writer: CommandProcessor, command: ContextCommand, startedUnder?: string) =>
    writer.submit(
      prepareWrite({ principal, contextId: 'c', commands: [command], startedUnder }, key),
    );
  const advance = (writer: CommandProcessor, runCommand: RunCommand, startedUnder?: string) => {
    const runContext = { contextId: 'c', runId: 'r1', now, random: 0.5, epoch: 'e' };
    return submit(writer, advanceCommand(workflow, runCommand, runContext), startedUnder);
  };
  const claim = (writer: CommandProcessor, token: string) => {
    const tokenHash = createHash('sha256').update(token).digest('hex');
    const worker = { principal: 'admin', agent: 'coder' };
    const attempt = { stepId: 'only', visit: 1, attempt: 1, tokenHash, worker };
    return advance(writer, { ...attempt, type: 'claim', effectKey: hash }, tokenHash);
  };
  const types = async () =>
    (await new ContextReader(on.db, opened.store).events(id, 1, 100)).map(({ type }) => type);
  const once = ['ContextCreated', 'RunStarted', 'StepScheduled', 'StepAttemptStarted'];

  it('takes effect once if several executors start it at the same time', async () => {
    let effects = 0;
    const carryOut = async (writer: CommandProcessor, token: string) => {
      const { kind } = await claim(writer, token);
      if (kind === 'stored') effects += 1;
    };
    const ways = [opened.store, opened.rival];
    const racing = Array.from({ length: executors }, (_, n) =>
      carryOut(start(ways[n % 2] ?? opened.store), `token ${n}`),
    );
    const refused = (await Promise.allSettled(racing)).flatMap((each) =>
      each.status === 'rejected' ? [each.reason] : [],
    );
    expect(effects).toBe(1);
    expect(refused).toHaveLength(executors - 1);
    for (const reason of refused) expect(reason).toBeInstanceOf(StaleAttemptError);
    expect(await types()).toEqual(once);
  });

  it('is refused to an executor that decided before another one started it', async () => {
    const sleeper = start(withBlockedAppend(opened.rival));
    const late = claim(sleeper, 'late');
    const settled = late.catch((error: unknown) => error);
    await reached.promise;
    await claim(start(opened.store), 'first');
    released.resolve();
    expect(await settled).toBeInstanceOf(StaleAttemptError);
    expect(await types()).toEqual(once);
  });

  it('starts once under one token if the request is repeated', async () => {
    await claim(start(opened.store), 'token');
    await expect(claim(start(opened.rival), 'token')).resolves.toMatchObject({ kind: 'nothing' });
    expect(await types()).toEqual(once);
  });

  /** The first append waits, with everything decided, until it is released. */
  function withBlockedAppend(store: EventStore): EventStore {
    reached = Promise.withResolvers<void>();
    released = Promise.withResolvers<void>();
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'append') return value.bind(target);
        return async (...args: unknown[]) => {
          reached.resolve();
          await released.promise;
          return Reflect.apply(value, target, args);
        };
      },
    });
  }
});
