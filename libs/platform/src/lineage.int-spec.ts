import fc from 'fast-check';

import { PostgresEventStore } from '#event-store-postgres';
import { auditStore } from '#operations';
import {
  ContextReader,
  Projector,
  beforeAllVersions as beforeEverything,
  listItemHistory,
} from '#read-models';
import {
  type Item,
  type NewContextEvent,
  changedItem,
  contextStream,
  decodeEvent,
  foldEvent,
  isContent,
  itemKinds,
  shifted,
  sourceOf,
} from '#shared-context';
import {
  HistoryWriter,
  type TestDatabase,
  type TestServer,
  contextCommands,
  contextFrom,
  did,
  listenToStatements,
  openTestDatabase,
  openTestServer,
  waitForProjector,
  sized,
} from '#testing';

const workspace = 'default';
const everyKind = { kinds: itemKinds };
const outputKey = { kind: 'step-output', key: 's' } as const;

type Step =
  | Readonly<{ does: 'write'; context: number; events: readonly NewContextEvent[] }>
  | Readonly<{ does: 'restore' | 'fork'; context: number; back: number }>
  | Readonly<{ does: 'project' }>;

const someContext = fc.nat(20);
/** Preferences that are set, removed and set again. */
const preferences = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom(null, 1, 2), {
  minKeys: 1,
});
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('write' as const),
        context: someContext,
        events: fc.tuple(contextCommands, preferences).map(([commands, values]) => [
          ...contextFrom(commands).events.slice(1),
          did('PreferencesSet', { values }),
          did('IterationsCarried', {
            subject: 'a',
            total: commands.length,
            current: 1,
            max: 3,
            tripped: commands.length % 2 === 0,
          }),
          did('StepOutputAdded', { stepId: 's', output: commands.length }),
        ]),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constantFrom('restore' as const, 'fork' as const),
        context: someContext,
        back: fc.nat(12),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ does: 'project' as const }) },
  ),
  { minLength: 8, maxLength: 20 },
);

/** The complete state at a version: all items, and all outputs of the step. */
type Moment = Readonly<{ items: ReadonlyMap<string, Item>; outputs: readonly Item[] }>;

const nothing: Moment = { items: new Map(), outputs: [] };

describe('restores and forks', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let history: HistoryWriter;
  let reader: ContextReader;

  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    history = new HistoryWriter(store);
    reader = new ContextReader(database.db, store);
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

  /** A model that copies the complete state of every context at every version. */
  const model = async (contexts: readonly string[]): Promise<Map<string, Moment[]>> => {
    const all = new Map<string, Moment[]>();
    // A fork comes after its source in the list.
    for (const contextId of contexts) {
      const moments: Moment[] = [nothing];
      all.set(contextId, moments);
      const stream = contextStream({ workspace, contextId });
      for (const stored of await store.readStream(stream, { from: 1, limit: 5_000 }))
        moments.push(after(decodeEvent(stored), moments, all));
    }
    return all;
  };

  const expectAll = async (moments: ReadonlyMap<string, readonly Moment[]>) => {
    for (const [contextId, versions] of moments) {
      const id = { workspace, contextId };
      for (const [version, { items, outputs }] of versions.entries()) {
        if (version === 0) continue;
        const { state, head } = await reader.readAt(id, version, everyKind);
        expect(head?.version).toBe(version);
        expect(inOrder(state.values())).toEqual(inOrder(items.values()));
        const keys = [...items.values()].slice(0, 5);
        const named = await reader.readAt(id, version, { keys, bodies: true });
        for (const item of keys) expect(named.state.get(item.kind, item.key)).toEqual(item);
        const range = { after: beforeEverything, until: version, limit: 1_000 };
        await expect(
          listItemHistory({ db: database.db, reader }, id, outputKey, range),
        ).resolves.toEqual(outputs);
      }
      const now = await reader.read(id, everyKind);
      expect(inOrder(now.state.values())).toEqual(inOrder(versions.at(-1)?.items.values() ?? []));
    }
  };

  it.each(
    fc.sample(steps, { numRuns: sized(2, 5), seed: 20261121 }).map((run, n) => [n, run] as const),
  )(
    'give the same state at every version as copies of complete states, however far the projection is (history %i)',
    async (n, run) => {
      const contexts = [`c-${n}-0`];
      await history.append(`c-${n}-0`, did('ContextCreated', { preferences: { a: 1, b: 2 } }));
      const sizes = new Map([[`c-${n}-0`, 1]]);
      for (const step of run) {
        if (step.does === 'project') {
          await project();
          continue;
        }
        const context = contexts[step.context % contexts.length] ?? '';
        const size = sizes.get(context) ?? 1;
        if (step.does === 'write') {
          await history.append(context, ...step.events);
          sizes.set(context, size + step.events.length);
          continue;
        }
        const version = Math.max(size - step.back, 1);
        if (step.does === 'restore') {
          await history.append(context, did('ContextRestored', { version }));
          sizes.set(context, size + 1);
        } else {
          const fork = `c-${n}-${contexts.length}`;
          const source = { contextId: context, version };
          await history.append(fork, did('ContextForked', { source }));
          contexts.push(fork);
          sizes.set(fork, 1);
        }
      }
      const moments = await model(contexts);
      await expectAll(moments);
      await project();
      await expectAll(moments);
    },
  );

  it('cost the same rows after few events and after many', async () => {
    const totals = [10, sized(1_000, 10_000)];
    const outputs = (count: number, from: number) =>
      Array.from({ length: count }, (_, n) =>
        did('StepOutputAdded', { stepId: `s-${from + n}`, output: n }),
      );
    for (const size of totals) {
      await history.append(`c-${size}`, did('ContextCreated', { title: 'T' }));
      for (let from = 0; from < size; from += 1_000)
        await history.append(`c-${size}`, ...outputs(Math.min(size, 1_000), from));
    }
    await project();
    const added: unknown[] = [];
    for (const size of totals) {
      const before = await countRows();
      const source = { contextId: `c-${size}`, version: size };
      await history.append(`c-${size}`, did('ContextRestored', { version: 5 }));
      await history.append(`f-${size}`, did('ContextForked', { source }));
      await project();
      const now = await countRows();
      added.push(Object.entries(now).map(([table, rows]) => [table, rows - (before[table] ?? 0)]));
    }
    expect(added[0]).toEqual(added[1]);
    expect(added[0]).toEqual([
      ['contexts', 1],
      ['context_items', 2],
      ['context_versions', 2],
      ['context_agents', 1],
      ['context_lineages', 2],
      ['open_work', 0],
    ]);
  });

  it('to the same version need two layers, nested restores one layer each', async () => {
    const id = { workspace, contextId: 'c' };
    const work = did('StepOutputAdded', { stepId: 's', output: 1 });
    await history.append('c', did('ContextCreated', {}), work);
    for (let n = 0; n < 20; n++)
      await history.append(
        'c',
        ...Array.from({ length: 10 }, () => [did('ContextRestored', { version: 2 }), work]).flat(),
      );
    await project();
    await expect(reader.depth(id, 402)).resolves.toBe(2);
    const nested = sized(15, 50);
    const last = 402 + 2 * nested;
    for (let n = 0; n < nested; n++)
      await history.append('c', work, did('ContextRestored', { version: 403 + n * 2 }));
    await project();
    await expect(reader.depth(id, last)).resolves.toBe(nested + 2);
    const { state } = await reader.read(id, everyKind);
    expect(state.get('step-output', 's')?.fromVersion).toBe(last - 1);
    const { reports } = await auditStore({ db: database.db, store }, undefined);
    expect(reports.find(({ id: invariant }) => invariant === 'I6')?.verdict).toBe('held');
  });

  it('that are nested read the events after the rows only once', async () => {
    const id = (restores: number) => ({ workspace, contextId: `c-${restores}` });
    for (const restores of [5, 10]) {
      await history.append(
        id(restores).contextId,
        did('ContextCreated', {}),
        did('StepOutputAdded', { stepId: 's', output: 'first' }),
        ...Array.from({ length: restores }, (_, n) => did('ContextRestored', { version: n + 2 })),
      );
    }
    const sent = listenToStatements(database.pool);
    const statementsFor = async (restores: number) => {
      const { statements } = await sent.costs(async () => {
        const { state } = await reader.read(id(restores), everyKind);
        expect(state.get('step-output', 's')?.fromVersion).toBe(2);
        const range = { after: beforeEverything, until: restores + 2, limit: 10 };
        const source = { db: database.db, reader };
        const values = await listItemHistory(source, id(restores), outputKey, range);
        expect(values.map(({ fromVersion }) => fromVersion)).toEqual([2]);
      });
      return statements;
    };
    const statements = await statementsFor(5);
    expect(statements).toBeLessThan(10);
    await expect(statementsFor(10)).resolves.toBe(statements);
  });

  it('return the requested number of values of an item, from the rows of every layer', async () => {
    const output = (value: number) => did('StepOutputAdded', { stepId: 's', output: value });
    await history.append('c', did('ContextCreated', {}), output(2), output(3), output(4));
    await history.append('c', did('ContextRestored', { version: 3 }), output(6), output(7));
    await history.append('f', did('ContextForked', { source: { contextId: 'c', version: 7 } }));
    await history.append('f', output(2));
    for (const isProjected of [false, true]) {
      if (isProjected) await project();
      const versionsOf = async (contextId: string, range: { after: number; limit: number }) =>
        (
          await listItemHistory({ db: database.db, reader }, { workspace, contextId }, outputKey, {
            until: 100,
            ...range,
          })
        ).map(({ fromVersion }) => fromVersion);
      expect(await versionsOf('c', { after: 2, limit: 2 })).toEqual([3, 6]);
      expect(await versionsOf('c', { after: 6, limit: 2 })).toEqual([7]);
      expect(await versionsOf('f', { after: -5, limit: 3 })).toEqual([-4, -1, 0]);
      expect(await versionsOf('f', { after: -1, limit: 3 })).toEqual([0, 2]);
    }
  });

  it('return the head of the context only once for all items', async () => {
    const title = 'T'.repeat(1_000);
    const outputs = Array.from({ length: 100 }, (_, n) =>
      did('StepOutputAdded', { stepId: `s-${n}`, output: n }),
    );
    await history.append('titled', did('ContextCreated', { title }), ...outputs);
    await project();
    const sent = listenToStatements(database.pool);
    const id = { workspace, contextId: 'titled' };
    const { characters } = await sent.costs(async () => {
      const { head, state } = await reader.read(id, { kinds: ['step-output'] });
      expect([head?.title, [...state.values()].length]).toEqual([title, 100]);
    });
    expect(characters).toBeLessThan(100 * title.length);
  });

  async function countRows(): Promise<Record<string, number>> {
    const { rows } = await database.pool.query<Record<string, number>>(`
      select (select count(*)::int from throughline.contexts) as contexts,
        (select count(*)::int from throughline.context_items) as context_items,
        (select count(*)::int from throughline.context_versions) as context_versions,
        (select count(*)::int from throughline.context_agents) as context_agents,
        (select count(*)::int from throughline.context_lineages) as context_lineages,
        (select count(*)::int from throughline.open_work) as open_work`);
    return rows[0] ?? {};
  }
});

function after(
  event: ReturnType<typeof decodeEvent>,
  moments: readonly Moment[],
  all: ReadonlyMap<string, readonly Moment[]>,
): Moment {
  const before = under(event, moments, all);
  const items = new Map(before.items);
  const lookup = (kind: string, key: string) => before.items.get(`${kind} ${key}`);
  for (const change of foldEvent(event, lookup))
    if ('removed' in change) items.delete(`${change.kind} ${change.key}`);
    else {
      const text = `${change.kind} ${change.key}`;
      const origin = { event, source: sourceOf(event) };
      items.set(text, changedItem(items.get(text), change, origin));
    }
  const output = items.get('step-output s');
  const added =
    output?.fromVersion === event.version ? [{ ...output, sources: [sourceOf(event)] }] : [];
  return { items, outputs: [...before.outputs, ...added] };
}

function under(
  event: ReturnType<typeof decodeEvent>,
  moments: readonly Moment[],
  all: ReadonlyMap<string, readonly Moment[]>,
): Moment {
  const now = moments.at(-1) ?? nothing;
  if (event.type === 'ContextRestored') {
    const then = moments[event.data.version] ?? nothing;
    const remaining = [...now.items].filter(([, item]) => !isContent(item));
    const back = [...then.items].filter(([, item]) => isContent(item));
    return { items: new Map([...remaining, ...back]), outputs: then.outputs };
  }
  if (event.type !== 'ContextForked') return now;
  const { contextId, version } = event.data.source;
  const source = all.get(contextId)?.[version] ?? nothing;
  const inherited = [...source.items]
    .filter(([text, item]) => isContent(item) || text === 'creation ' || text.startsWith('counter'))
    .map(([text, item]) => [text, shifted(item, version)] as const);
  return {
    items: new Map(inherited),
    outputs: source.outputs.map((item) => shifted(item, version)),
  };
}

function inOrder(items: Iterable<Item>): Item[] {
  return [...items].toSorted((left, right) =>
    `${left.kind} ${left.key}` < `${right.kind} ${right.key}` ? -1 : 1,
  );
}
