import { jest } from '@jest/globals';
import { createSecretKey } from 'node:crypto';

import fc from 'fast-check';

import { DomainError, type EventStore } from '#event-sourcing';
import { ContextReader, Projector } from '#read-models';
import { type ContextCommand, itemKinds } from '#shared-context';
import {
  contextCommand,
  decisionCommand,
  failure,
  listenToStatements,
  useTestStore,
  waitForProjector,
  sized,
} from '#testing';
import { type TransformationDefinition } from '#transformations';

import { rootPrincipal } from '../authentication/authentication.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { CommandProcessor } from './command-processor.js';
import { type WriteResult } from './round-answers.js';
import { prepareWrite } from './prepared-write.js';

const principal = rootPrincipal('w');
const key = createSecretKey(Buffer.alloc(32));
const create: ContextCommand = { type: 'CreateContext', data: {} };

/** Differs between runs, so comparisons replace it. */
const eventId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function output(stepId: string, value = 1): ContextCommand {
  return { type: 'AddStepOutput', data: { stepId, output: value } };
}

describe('the command processor', () => {
  const on = useTestStore();
  let now = Date.UTC(2026, 0, 1);

  /** The part of a server process that writes. */
  const start = (events?: Readonly<{ raced: () => void }>, store: EventStore = on.store) => {
    const reader = new ContextReader(on.db, on.store);
    const options = { appendTimeoutMs: 10_000, now: () => now, ...(events && { events }) };
    return new CommandProcessor(store, reader, new TransformationStore(on.db), options);
  };
  const write = (
    writer: CommandProcessor,
    contextId: string,
    command: ContextCommand,
    ifMatch?: number,
  ): Promise<WriteResult> =>
    writer.submit(prepareWrite({ principal, contextId, commands: [command], ifMatch }, key));
  const project = async () => {
    const projector = new Projector(on.db, on.store);
    projector.start();
    await waitForProjector(projector);
    await projector.stop();
  };

  describe('the statements of a write', () => {
    const readItems = expect.stringMatching(/^select c\.\*, i\.kind/);
    const readTail = expect.stringMatching(/from throughline\.events/);
    const append = expect.stringMatching(/throughline\.append_events/);

    it('are one append in a context that the process has created, even if values may be derived', async () => {
      const sent = listenToStatements(on.pool);
      const writer = start();
      expect(await sent.during(() => write(writer, 'c', create))).toEqual([
        readItems,
        readTail,
        append,
      ]);
      const started: ContextCommand = { type: 'StartStep', data: { stepId: 'c' } };
      expect(await sent.during(() => write(writer, 'c', started))).toEqual([append]);
      for (const step of ['a', 'b', 'a'])
        expect(await sent.during(() => write(writer, 'c', output(step)))).toEqual([append]);
      await project();
      expect(await sent.during(() => write(writer, 'c', output('c')))).toEqual([append]);
    });

    it('are one append for a write with an idempotency key', async () => {
      const sent = listenToStatements(on.pool);
      const writer = start();
      await write(writer, 'c', create);
      await write(writer, 'c', output('a'));
      const keyed = (idempotencyKey: string) => {
        const request = { principal, contextId: 'c', commands: [output('b')] };
        return writer.submit(
          prepareWrite(
            {
              ...request,
              idempotency: { key: idempotencyKey, method: 'POST', path: '/', body: '{}' },
            },
            key,
          ),
        );
      };
      for (const idempotencyKey of ['1', '2'])
        expect(await sent.during(() => keyed(idempotencyKey))).toEqual([append]);
      await expect(keyed('1')).resolves.toMatchObject({ kind: 'replay', first: 3, count: 1 });
    });

    it('are as many at version 200 as at version 2', async () => {
      const sent = listenToStatements(on.pool);
      const writer = start();
      await write(writer, 'c', create);
      for (let n = 2; n < 200; n++) {
        await write(writer, 'c', output(`s-${n}`));
        if (n % 50 === 0) await project();
      }
      expect(await sent.during(() => write(writer, 'c', output('last')))).toEqual([append]);
    });

    it('read what others wrote until the process has written twice in a row, and then the whole context once', async () => {
      const sent = listenToStatements(on.pool);
      const [own, other] = [start(), start()];
      await write(other, 'c', create);
      for (const step of ['a', 'b']) await write(other, 'c', output(step));
      await project();
      const writes = async () => {
        for (let n = 0; n < 4; n++) await write(own, 'c', output(`own-${n}`));
      };
      const readAllItems = [expect.stringMatching(/row_to_json\(c\)/), readTail];
      expect(await sent.during(writes)).toEqual([
        readItems,
        readTail,
        append,
        readItems,
        readTail,
        append,
        ...readAllItems,
        append,
        append,
      ]);
    });

    it.each(['another', 'this'])(
      'read the events after the rows once the cached ones are too old, in a context that %s process has created',
      async (creator) => {
        const sent = listenToStatements(on.pool);
        const writer = start();
        await write(creator === 'this' ? writer : start(), 'c', create);
        await project();
        for (const step of ['a', 'b', 'e']) await write(writer, 'c', output(step));
        now += 5_001;
        expect(await sent.during(() => write(writer, 'c', output('d')))).toEqual([
          readItems,
          readTail,
          append,
        ]);
      },
    );

    it('read the rows but not the tail if the payload of a cached item matters', async () => {
      const sent = listenToStatements(on.pool);
      const writer = start();
      await write(writer, 'c', create);
      const set = (a: number): ContextCommand => ({
        type: 'SetPreferences',
        data: { values: { a } },
      });
      await write(writer, 'c', set(1));
      await project();
      expect(await sent.during(() => write(writer, 'c', set(2)))).toEqual([readItems, append]);
    });
  });

  it.each([1, 30])(
    'refuses a command that conflicts with an item that its own write stored, %d writes later',
    async (writes) => {
      const writer = start();
      await write(writer, 'c', create);
      const decide = (decisionId: string): ContextCommand => ({
        type: 'RecordDecision',
        data: { decisionId, topic: 'store', decision: 'PostgreSQL' },
      });
      await write(writer, 'c', decide('D-1'));
      for (let n = 0; n < writes; n++) await write(writer, 'c', output(`s-${n}`));
      await expect(write(writer, 'c', decide('D-2'))).rejects.toMatchObject({
        code: 'decision-topic-taken',
      });
      await expect(write(writer, 'c', output('after'))).resolves.toMatchObject({ kind: 'stored' });
    },
  );

  it('takes the writes of another process into account', async () => {
    const close: ContextCommand = { type: 'CloseContext', data: {} };
    const reopen: ContextCommand = { type: 'ReopenContext', data: {} };
    let races = 0;
    const [own, other] = [start({ raced: () => void races++ }), start()];
    await write(own, 'c', create);
    await write(other, 'c', close);
    await expect(write(own, 'c', output('a'))).rejects.toMatchObject({ code: 'context-closed' });
    expect(races).toBe(1);
    await write(own, 'c', reopen);
    await write(own, 'c', close);
    await write(other, 'c', reopen);
    await expect(write(own, 'c', output('a'))).resolves.toMatchObject({ kind: 'stored' });
    await write(other, 'c', output('b'));
    await expect(write(own, 'c', output('c'), 6)).resolves.toEqual({
      kind: 'conflict',
      expected: 6,
      current: 7,
    });
    await expect(write(own, 'c', output('c'), 7)).resolves.toMatchObject({ kind: 'stored' });
  });

  it.each([
    [11_000, 6],
    [40_000, 3],
  ])('gives up a write that loses every race of %d ms after %d tries', async (passedMs, tries) => {
    const clock = performance.now.bind(performance);
    let passed = 0;
    const time = jest.spyOn(performance, 'now').mockImplementation(() => clock() + passed);
    const rival = start();
    await write(rival, 'c', create);
    let races = 0;
    const losing = new Proxy(on.store, {
      get: (store, name) => {
        if (name === 'append')
          return async (...args: Parameters<typeof store.append>) => {
            await write(rival, 'c', output(`rival-${races++}`));
            passed += passedMs;
            return store.append(...args);
          };
        const member: unknown = Reflect.get(store, name);
        return typeof member === 'function' ? member.bind(store) : member;
      },
    });
    const reader = new ContextReader(on.db, on.store);
    const options = { appendTimeoutMs: 60_000, now: () => now };
    const writer = new CommandProcessor(losing, reader, new TransformationStore(on.db), options);
    const error = await failure(write(writer, 'c', output('a')));
    expect(error).toMatchObject({
      code: 'concurrency-exhausted',
      message: `other writers changed the context first, ${tries} times: send the request again`,
    });
    time.mockRestore();
  });

  it('chains to the stored events if two processes store the same repeated request', async () => {
    const idempotency = { key: 'k', method: 'POST', path: '/', body: '{}' };
    const request = { principal, contextId: 'c', commands: [output('a')], idempotency };
    const stored = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    let blocker: Promise<void> | undefined;
    const waiting = new Proxy(on.store, {
      get: (store, name) => {
        if (name === 'append')
          return async (...args: Parameters<typeof store.append>) => {
            if (blocker) decided.resolve();
            await blocker;
            return store.append(...args);
          };
        const member: unknown = Reflect.get(store, name);
        return typeof member === 'function' ? member.bind(store) : member;
      },
    });
    const [first, second] = [start(), start(undefined, waiting)];
    await write(second, 'c', create);
    blocker = stored.promise;
    const late = second.submit(prepareWrite(request, key));
    await decided.promise;
    now += 1_000;
    await first.submit(prepareWrite(request, key));
    stored.resolve();
    await expect(late).resolves.toEqual({ kind: 'replay', first: 2, count: 1 });
    for (const writer of [second, second, first, first]) await write(writer, 'c', output('b'));
    const events = await new ContextReader(on.db, on.store).events(
      { workspace: 'w', contextId: 'c' },
      1,
      100,
    );
    const [, ...chained] = events.map(({ envelope }) => envelope.previousHash);
    expect(chained).toEqual(events.slice(0, -1).map(({ envelope }) => envelope.hash));
    expect(events).toHaveLength(6);
  });

  it('answers a request that another process has stored first with the stored events', async () => {
    const [first, second] = [start(), start()];
    const transformations = new TransformationStore(on.db);
    const definition = (factor: number): TransformationDefinition => ({
      trigger: { step: 'a' },
      sources: { value: 'context.a' },
      operation: { kind: 'score', expression: `value * ${factor}` },
      destinations: ['project_metadata.total'],
    });
    await transformations.put('w', 'total', { definition: definition(2), by: 'admin' });
    for (const contextId of ['before', 'c']) await write(first, contextId, create);
    await write(first, 'before', output('a'));
    await transformations.put('w', 'total', { definition: definition(10), by: 'admin' });
    const idempotency = { key: 'k', method: 'POST', path: '/', body: '{}' };
    const request = { principal, contextId: 'c', commands: [output('a', 3)], idempotency };
    expect(await second.submit(prepareWrite(request, key))).toMatchObject({ kind: 'stored' });
    await write(second, 'c', output('b'));
    // The first process collects the requests that arrive during a round: the repeated and the conditional one share
    // the next round.
    const refused = failure(write(first, 'c', create));
    const repeated = first.submit(prepareWrite(request, key));
    const conditional = write(first, 'c', output('d'), 4);
    await refused;
    expect(await repeated).toEqual({ kind: 'replay', first: 2, count: 2 });
    expect(await conditional).toMatchObject({ kind: 'stored' });
  });

  it('derives values with transformations that another process has just stored', async () => {
    const writer = start();
    await write(writer, 'c', create);
    await write(writer, 'c', output('a', 1));
    const definition: TransformationDefinition = {
      trigger: { step: 'a' },
      sources: { value: 'context.a' },
      operation: { kind: 'score', expression: 'value * 2' },
      destinations: ['project_metadata.total'],
    };
    await new TransformationStore(on.db).put('w', 'twice', { definition, by: 'admin' });
    const written = await write(writer, 'c', output('a', 21));
    expect(written).toMatchObject({
      events: [{ type: 'StepOutputAdded' }, { type: 'ValueDerived', data: { value: 42 } }],
    });
    const sent = listenToStatements(on.pool);
    expect(await sent.during(() => write(writer, 'c', output('b')))).toHaveLength(1);
  });

  it('decides like a process without a cache, with and without other writers and at any lag of the rows', async () => {
    const step = fc.record({
      command: fc.oneof(contextCommand, decisionCommand),
      by: fc.constantFrom(0, 0, 0, 1),
      project: fc.constantFrom(...Array.from({ length: 12 }, (_, n) => n === 0)),
    });
    const runs = fc.sample(fc.array(step, { minLength: 15, maxLength: 30 }), {
      numRuns: sized(6, 18),
      seed: 20261121,
    });
    for (const [n, run] of runs.entries()) {
      const first = start();
      // A process that has cached the whole context, with and without a second writer, and one that has not.
      const writers = n % 3 === 0 ? [first, first] : [first, start()];
      await write(n % 3 === 2 ? start() : first, `own-${n}`, create);
      await write(start(), `new-${n}`, create);
      for (const { command, by, project: projects } of run) {
        now += 1;
        const remembering = writers[by] ?? start();
        expect(await outcomeOf(write(remembering, `own-${n}`, command))).toEqual(
          await outcomeOf(write(start(), `new-${n}`, command)),
        );
        if (projects) await project();
      }
      expect(await itemsOf(`own-${n}`)).toEqual(await itemsOf(`new-${n}`));
    }
  }, 120_000);

  const itemsOf = async (contextId: string) => {
    const reader = new ContextReader(on.db, on.store);
    const { head, state } = await reader.read({ workspace: 'w', contextId }, { kinds: itemKinds });
    const items = [...state.values()]
      .map((item) => JSON.stringify(item).replace(eventId, 'id'))
      .toSorted();
    return { version: head?.version, activity: head?.activity, items };
  };
});

async function outcomeOf(written: Promise<WriteResult>) {
  try {
    const { kind, ...rest } = await written;
    const events = 'events' in rest ? rest.events : [];
    return { kind, events: events.map(({ type, version, data }) => ({ type, version, data })) };
  } catch (error) {
    if (error instanceof DomainError) return { refused: error.code };
    throw error;
  }
}
