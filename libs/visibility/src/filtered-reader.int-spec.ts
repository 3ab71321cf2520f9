import fc from 'fast-check';

import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader, Projector, streamEvents } from '#read-models';
import {
  type DecodedEvent,
  type Item,
  type ItemKind,
  foldStream,
  itemKinds,
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
  sized,
  waitForProjector,
} from '#testing';

import { builtInPolicies } from './built-in-policies.js';
import { VisibilityFilter } from './visibility-filter.js';
import { failuresIn } from './filter-items.js';
import { FilteredReader } from './filtered-reader.js';

const workspace = 'default';
const internalKinds: readonly ItemKind[] = [
  'topic',
  'counter',
  'idempotency',
  'patched',
  'summarized',
];
const everyKind = { kinds: itemKinds };
const agents = ['a', 'b', 'tester'];

const filters = [
  ...Object.values(builtInPolicies),
  { show: [{ types: ['*'], authors: ['a'] }] },
  { show: [{ types: ['*'], visibility: ['working' as const] }], hide: [{ types: ['StepFailed'] }] },
  { show: [{ types: ['*'], failedSteps: true as const }, { types: ['StepFailed'] }] },
].map((policy) => new VisibilityFilter(policy, { audience: 'x', agentId: 'a' }));

/** Commands to a context, the author and the visibility of each, and a restore or fork after them. */
const randomHistories = fc.array(
  fc.record({
    commands: contextCommands,
    facts: fc.infiniteStream(
      fc.tuple(fc.constantFrom(...agents), fc.constantFrom('record' as const, 'working' as const)),
    ),
    then: fc.constantFrom('go on' as const, 'restore' as const, 'fork' as const),
    back: fc.nat(20),
  }),
  { minLength: 2, maxLength: 4 },
);

const histories = fc
  .sample(randomHistories, { numRuns: sized(3, 8), seed: 20261121 })
  .map((run, n) => [n, run] as const);

describe('reading through a visibility filter', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let history: HistoryWriter;
  let filteredReader: FilteredReader;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    history = new HistoryWriter(store);
    filteredReader = new FilteredReader(new ContextReader(database.db, store), store, database.db);
  });
  afterAll(async () => {
    await store.close();
    await database.close();
    await server.close();
  });

  const project = async () => {
    const projector = new Projector(database.db, store);
    projector.start();
    await waitForProjector(projector);
    await projector.stop();
  };

  /** By definition: the fold of the visible events. */
  const visible = async (filter: VisibilityFilter, contextId: string, version: number) => {
    const id = { workspace, contextId };
    const all = await foldStream(streamEvents(store), id, version);
    const hasFailed = failuresIn(filter, all);
    return foldStream(streamEvents(store), id, version, (event) =>
      filter.filterEvent(event, hasFailed),
    );
  };

  /** If an audience sees only live decisions, a read of an earlier version returns only the decisions that are live now. */
  const expected = async (
    filter: VisibilityFilter,
    contextId: string,
    { version, size }: VersionOfContext,
  ) => {
    const then = await visible(filter, contextId, version);
    if (!filter.liveDecisionsOnly) return then;
    const inForce = new Set((await visible(filter, contextId, size)).filter(isLive).map(keyOf));
    return then.filter((item) => !isLive(item) || inForce.has(keyOf(item)));
  };

  const expectFiltered = async (contextId: string, { version, size }: VersionOfContext) => {
    for (const filter of filters) {
      const items = plain(await expected(filter, contextId, { version, size }));
      const request = { id: { workspace, contextId }, filter, version };
      const { state } = await filteredReader.read(request, everyKind);
      expect(plain(state.values())).toEqual(items);
      const keys = items.filter((_, n) => n % 3 === 0).map(({ kind, key }) => ({ kind, key }));
      const named = await filteredReader.read(request, { keys, bodies: true });
      for (const { kind, key } of keys)
        expect(plain([named.state.get(kind, key)].filter((item) => item !== undefined))).toEqual(
          items.filter((item) => item.kind === kind && item.key === key),
        );
    }
  };

  const write = async (n: number, run: RandomHistory) => {
    let contextId = `c-${n}-0`;
    const sizes = new Map([[contextId, 1]]);
    await history.append(contextId, did('ContextCreated', { preferences: { a: 1 } }));
    for (const { commands, facts, then, back } of run) {
      const events = contextFrom(commands)
        .events.slice(1)
        .map(({ type, data }) => {
          const [principal, visibility] = facts.next().value ?? [];
          return { ...did(type, data, visibility), principal: principal ?? 'tester' };
        });
      if (events.length > 0) await history.append(contextId, ...events);
      const size = (sizes.get(contextId) ?? 1) + events.length;
      sizes.set(contextId, size);
      const version = Math.max(size - back, 1);
      if (then === 'restore') {
        await history.append(contextId, did('ContextRestored', { version }));
        sizes.set(contextId, size + 1);
      } else if (then === 'fork') {
        const source = { contextId, version };
        contextId = `c-${n}-${sizes.size}`;
        await history.append(contextId, did('ContextForked', { source }));
        sizes.set(contextId, 1);
      }
    }
    return sizes;
  };

  it.each(histories)(
    'returns the fold of the visible events of history %i, whether or not its events are projected',
    async (n, run) => {
      const sizes = await write(n, run);
      const expectAll = async () => {
        for (const [contextId, size] of sizes)
          for (const version of [size, Math.ceil(size / 2)])
            await expectFiltered(contextId, { version, size });
      };
      await expectAll();
      await project();
      await expectAll();
    },
  );

  it('returns a value that a hidden event has removed, even if only that value is requested', async () => {
    const contextId = 'taken-out';
    const id = { workspace, contextId };
    await history.append(
      contextId,
      did('ContextCreated', {}),
      did('PreferencesSet', { values: { tone: 'dry' } }),
      did('GlobalContextSet', { values: { scope: 'all' } }),
      did('PreferencesSet', { values: { tone: null } }, 'working'),
      did('GlobalContextSet', { values: { scope: null } }, 'working'),
    );
    const filter = new VisibilityFilter(
      { show: [{ types: ['*'] }] },
      { audience: 'x', agentId: null },
    );
    const [tone, scope] = [
      { kind: 'preference', key: 'tone' },
      { kind: 'global', key: 'scope' },
    ] as const;
    for (const isProjected of [false, true]) {
      if (isProjected) await project();
      const [named, ofKinds] = [
        await filteredReader.read({ id, filter }, { keys: [tone, scope], bodies: true }),
        await filteredReader.read({ id, filter }, { kinds: ['preference', 'global'] }),
      ];
      for (const { state } of [named, ofKinds]) {
        expect(state.get(tone.kind, tone.key)?.body).toBe('dry');
        expect(state.get(scope.kind, scope.key)?.body).toBe('all');
      }
    }
  });

  it('returns any named item of a failed step if the policy shows failed steps', async () => {
    const contextId = 'failed';
    const artifact = (artifactId: string, stepId: string) =>
      did('ArtifactReferenced', { artifactId, stepId, artifactType: 'file', path: artifactId });
    await history.append(
      contextId,
      did('ContextCreated', {}),
      artifact('of-bad', 'bad'),
      artifact('of-good', 'good'),
      did('StepFailed', { stepId: 'bad', reason: 'r' }),
    );
    await project();
    const policy = {
      show: [{ types: ['*'], failedSteps: true as const }, { types: ['StepFailed'] }],
    };
    const filter = new VisibilityFilter(policy, { audience: 'x', agentId: null });
    const keys = ['of-bad', 'of-good'].map((key) => ({ kind: 'artifact', key }) as const);
    const request = { id: { workspace, contextId }, filter };
    const { state } = await filteredReader.read(request, { keys, bodies: false });
    expect(state.get('artifact', 'of-bad')).toBeDefined();
    expect(state.get('artifact', 'of-good')).toBeUndefined();
  });

  it('folds an item that hidden events have changed at the same cost in a long history', async () => {
    const output = (at: number) =>
      did('StepOutputAdded', { stepId: `s-${String(at).padStart(4, '0')}`, output: at });
    for (const [contextId, outputs] of [
      ['few', 150],
      ['many', 1_500],
    ] as const) {
      await history.append(contextId, did('ContextCreated', {}));
      for (let at = 0; at < outputs; at += 150)
        await history.append(contextId, ...Array.from({ length: 150 }, (_, n) => output(at + n)));
      await history.append(contextId, { ...output(7), visibility: 'working' });
    }
    await project();
    const sent = listenToStatements(database.pool);
    for (const policy of [
      { show: [{ types: ['*'] }] },
      { show: [{ types: ['*'] }, { types: ['*'], failedSteps: true as const }] },
    ]) {
      const filter = new VisibilityFilter(policy, { audience: 'x', agentId: null });
      const keys = [{ kind: 'step-output', key: 's-0007' }] as const;
      const costsIn = (contextId: string) =>
        sent.costs(async () => {
          const request = { id: { workspace, contextId }, filter };
          const { state } = await filteredReader.read(request, { keys, bodies: true });
          expect(state.get('step-output', 's-0007')).toMatchObject({ fromVersion: 9 });
        });
      const [short, long] = [await costsIn('few'), await costsIn('many')];
      const { statements, rows } = short;
      expect(long).toMatchObject({ statements, rows });
    }
  });

  it('returns the events of a page whose step has failed by now or whose decision is live', async () => {
    const contextId = 'events';
    const id = { workspace, contextId };
    await history.append(
      contextId,
      did('ContextCreated', {}),
      did('StepOutputAdded', { stepId: 'good', output: 1 }),
      did('StepOutputAdded', { stepId: 'bad', output: 1 }),
      did('DecisionRecorded', { decisionId: 'old', topic: 't', decision: 'x' }),
      did('DecisionRecorded', { decisionId: 'new', topic: 't', decision: 'y', supersedes: 'old' }),
      did('StepFailed', { stepId: 'bad', reason: 'broken' }),
    );
    const events: DecodedEvent[] = [];
    for await (const event of filteredReader.reader.tail(id, { after: 0 })) events.push(event);
    const seenBy = async (audience: string) => {
      const filter = new VisibilityFilter(builtInPolicies[audience] ?? { show: [] }, {
        audience,
        agentId: null,
      });
      return (await filteredReader.filterEvents(id, filter, events)).map(({ version }) => version);
    };
    expect(await seenBy('failure-analyst')).toEqual([1, 3, 6]);
    expect(await seenBy('reviewer')).toEqual([1, 5]);
    expect(await seenBy('developer')).toEqual([1, 4, 5]);
    expect(await seenBy('retrospective')).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

/** A version of a context with `size` versions. */
type VersionOfContext = Readonly<{ version: number; size: number }>;

function isLive({ kind, state }: Item): boolean {
  return kind === 'decision' && state['status'] === 'live';
}

function keyOf({ key }: Item): string {
  return key;
}

type RandomHistory = typeof randomHistories extends fc.Arbitrary<infer Run> ? Run : never;

function plain(items: Iterable<Item>) {
  return [...items]
    .filter(({ kind }) => !internalKinds.includes(kind))
    .map(({ sources: _, ...item }) => item)
    .toSorted((left, right) =>
      `${left.kind} ${left.key}` < `${right.kind} ${right.key}` ? -1 : 1,
    );
}
