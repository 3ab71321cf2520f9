import { createSecretKey } from 'node:crypto';

import fc from 'fast-check';

import { type ViewSource, renderView, tokenizerOf, viewKinds, viewSource } from '#context-views';
import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader } from '#read-models';
import { type Item } from '#shared-context';
import {
  HistoryWriter,
  type TestDatabase,
  type TestServer,
  contextCommands,
  contextFrom,
  did,
  openTestDatabase,
  openTestServer,
  sized,
} from '#testing';
import { VisibilityFilter, FilteredReader, builtInPolicies, isShown } from '#visibility';

import { AgentStore } from '../agents/agent-store.js';
import { Audiences } from '../audiences/audiences.js';
import { PolicyStore } from '../audiences/policy-store.js';
import { ViewTallyStore } from '../view-tallies/view-tally-store.js';
import { ContextHierarchy } from '../families/context-hierarchy.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { Receipts } from '../receipts/receipts.js';
import { SettingsStore } from '../settings/settings-store.js';
import { defaultSettings } from '../settings/settings.messages.js';
import { DerivedMarks } from '../transformations/derived-marks.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { PreviousVersion } from './previous-version.js';
import { SnapshotCache } from './snapshot-cache.js';
import { SourcePairs } from './source-pairs.js';
import { ViewDefaults } from './view-defaults.js';
import { ViewFocus } from './view-focus.js';
import { ViewSourceReader } from './view-source-reader.js';
import { Views } from './views.js';

const workspace = 'default';
const tokenizer = tokenizerOf('chars4');
const budgets = [60, 400, 4_000].map((maxTokens) => ({
  maxTokens,
  tokenizer,
  newest: 2,
  overflow: 'minimum' as const,
}));
const agents = ['a', 'b', 'tester'];

/** The first of these policies hides nothing. */
const filters = [
  undefined,
  ...[
    ...Object.values(builtInPolicies),
    { show: [{ types: ['*'], authors: ['a'] }] },
    { show: [{ types: ['*'] }], decisions: 'live' as const },
    {
      show: [{ types: ['*'], visibility: ['working' as const] }],
      hide: [{ types: ['RiskRaised'] }],
    },
  ].map((policy) => new VisibilityFilter(policy, { audience: 'x', agentId: 'a' })),
];

const histories = fc.record({
  commands: contextCommands,
  back: fc.nat(30),
  facts: fc.infiniteStream(
    fc.tuple(fc.constantFrom(...agents), fc.constantFrom('record' as const, 'working' as const)),
  ),
});

describe('cached snapshots', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let history: HistoryWriter;
  let filteredReader: FilteredReader;
  let transformations: TransformationStore;
  let marks: DerivedMarks;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    history = new HistoryWriter(store);
    filteredReader = new FilteredReader(new ContextReader(database.db, store), store, database.db);
    transformations = new TransformationStore(database.db);
    marks = new DerivedMarks(transformations);
  });
  afterAll(async () => {
    await store.close();
    await database.close();
    await server.close();
  });

  const previous = () => new PreviousVersion(filteredReader, store, marks);
  const newCache = (reader = filteredReader, derived = transformations) =>
    new SnapshotCache(reader, store, derived, previous());

  const texts = (now: ViewSource, before: ViewSource | null | undefined) =>
    budgets.map((budget) => renderView(now, before ?? undefined, budget));

  /** Without a cache. */
  const afresh = async (contextId: string, filter: VisibilityFilter | undefined) => {
    const id = { workspace, contextId };
    const { head, state } = await filteredReader.read({ id, filter }, { kinds: viewKinds });
    const { items, transformationVersions } = await marks.mark(workspace, [...state.values()]);
    const version = head?.version ?? 0;
    const site = { id, version, filter, transformationVersions };
    const before = await previous().find(site, items);
    const shown = filter && ((item: Item) => isShown(filter, item));
    const sourceOf = (all: readonly Item[]) =>
      viewSource({ contextId, items: all, isShown: shown });
    return texts(sourceOf(items), before && sourceOf(before));
  };

  const write = (events: ReturnType<typeof contextFrom>['events'], facts: Facts) =>
    events.map(({ type, data }) => {
      const [principal, visibility] = facts.next().value ?? [];
      return { ...did(type, data, visibility), principal: principal ?? 'tester' };
    });

  const expectSame = async (cache: SnapshotCache, contextId: string) => {
    const id = { workspace, contextId };
    for (const [at, filter] of filters.entries()) {
      const found = await cache.read({ id, filter, tag: filter ? String(at) : null });
      if (!found) throw new Error(`there is no ${contextId}`);
      const { now, before } = found.snapshot;
      expect(texts(now.source, before)).toEqual(await afresh(contextId, filter));
    }
  };

  it('render to the same bytes as uncached contexts, for every audience, after events and restores', async () => {
    const runs = fc.sample(histories, { numRuns: sized(6, 12), seed: 20261121 });
    for (const [n, { commands, back, facts }] of runs.entries()) {
      const contextId = `kept-${n}`;
      const cache = newCache();
      await history.append(contextId, did('ContextCreated', { preferences: { a: 1 } }));
      const events = write(contextFrom(commands).events.slice(1), facts);
      const restored = did('ContextRestored', { version: Math.max(1, events.length - back) });
      // Some contexts are read after every event, others less often.
      const stride = [1, 2, 7][n % 3] ?? 1;
      for (const [at, event] of [
        ...events.slice(0, 40),
        ...(events.length > 40 ? [] : [restored]),
        did('PhaseStarted', { phase: 'p' }),
      ].entries()) {
        await history.append(contextId, event);
        if (at % stride === 0) await expectSame(cache, contextId);
      }
    }
  });

  it('advance by appended events, also for narrower audiences', async () => {
    const id = { workspace, contextId: 'carried' };
    const cache = newCache();
    await history.append('carried', did('ContextCreated', {}));
    const advanced: boolean[] = [];
    for (let at = 0; at < 3; at++) {
      await history.append('carried', did('StepOutputAdded', { stepId: `s${at}`, output: at }));
      for (const [filter, tag] of [[undefined, null] as const, [filters.at(-2), 'live'] as const])
        advanced.push((await cache.read({ id, filter, tag }))?.isNew === false);
    }
    expect(advanced).toEqual([false, false, true, true, true, true]);
  });

  it('do not reveal the kind of a hidden event', async () => {
    const id = { workspace, contextId: 'hidden' };
    const policy = builtInPolicies['reviewer'];
    if (!policy) throw new Error('there is no such policy');
    const filter = new VisibilityFilter(policy, { audience: 'reviewer', agentId: 'r' });
    const decision = { decisionId: 'D-1', topic: 't', decision: 'so', rationale: 'because' };
    await history.append('hidden', did('ContextCreated', {}), did('DecisionRecorded', decision));
    const cache = newCache();
    await cache.read({ id, filter, tag: 'reviewer' });
    for (const event of [
      did('DecisionRecorded', { ...decision, decisionId: 'D-2', topic: 'u' }, 'working'),
      did('StepOutputAdded', { stepId: 's', output: 'hidden' }, 'working'),
    ]) {
      await history.append('hidden', event);
      const found = await cache.read({ id, filter, tag: 'reviewer' });
      if (!found) throw new Error('there is no such context');
      const { now, before } = found.snapshot;
      for (const view of [...texts(now.source, before), ...(await afresh('hidden', filter))])
        expect(view).toMatchObject(
          'text' in view ? { stablePrefixTokens: Math.floor(view.text.length / 4) } : {},
        );
    }
  });

  it('are read once for all concurrent readers, and include the events appended meanwhile', async () => {
    let reads = 0;
    class CountingReader extends FilteredReader {
      override read(...args: Parameters<FilteredReader['read']>) {
        reads += 1;
        return super.read(...args);
      }
    }
    const reader = new ContextReader(database.db, store);
    const cache = newCache(new CountingReader(reader, store, database.db));
    const site = { id: { workspace, contextId: 'asked' }, filter: undefined, tag: null };
    await history.append('asked', did('ContextCreated', {}));
    const first = Array.from({ length: 10 }, () => cache.read(site));
    await history.append('asked', did('PhaseStarted', { phase: 'p' }));
    const later = Array.from({ length: 10 }, () => cache.read(site));
    await Promise.all(first);
    for (const found of await Promise.all(later)) expect(found?.snapshot.head.version).toBe(2);
    expect(reads).toBe(1);
  });

  it('are advanced once for all concurrent readers after a write, also for narrower audiences', async () => {
    const cache = newCache();
    await history.append('written', did('ContextCreated', {}));
    for (const [filter, tag] of [[undefined, null] as const, [filters.at(-2), 'live'] as const]) {
      const site = { id: { workspace, contextId: 'written' }, filter, tag };
      await cache.read(site);
      await history.append('written', did('StepOutputAdded', { stepId: `s-${tag}`, output: 1 }));
      const found = await Promise.all(Array.from({ length: 10 }, () => cache.read(site)));
      expect(new Set(found.map((one) => one?.snapshot)).size).toBe(1);
      expect(found[0]?.isNew).toBe(false);
      expect(found[0]?.snapshot.now.source.timeline.entries.at(-1)?.key).toBe(`s-${tag}`);
      expect((await cache.read(site))?.snapshot).toBe(found[0]?.snapshot);
    }
  });

  it('are read once more for all concurrent readers if the first read is too old to be advanced', async () => {
    let reads = 0;
    const read = Promise.withResolvers<undefined>();
    const written = Promise.withResolvers<undefined>();
    class WaitingReader extends FilteredReader {
      override async read(...request: Parameters<FilteredReader['read']>) {
        reads += 1;
        const snapshot = await super.read(...request);
        read.resolve(undefined);
        await written.promise;
        return snapshot;
      }
    }
    const reader = new ContextReader(database.db, store);
    const cache = newCache(new WaitingReader(reader, store, database.db));
    const site = { id: { workspace, contextId: 'outrun' }, filter: undefined, tag: null };
    await history.append('outrun', did('ContextCreated', {}));
    const readers = Array.from({ length: 10 }, () => cache.read(site));
    const phases = Array.from({ length: 64 }, (_, at) => did('PhaseStarted', { phase: `p${at}` }));
    await read.promise;
    await history.append('outrun', ...phases);
    written.resolve(undefined);
    const found = await Promise.all(readers);
    expect(found.at(-1)?.snapshot.head.version).toBe(65);
    expect(reads).toBe(2);
  });

  it('are not replaced by older ones that are marked later', async () => {
    const marking = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    let waits = false;
    class WaitingStore extends TransformationStore {
      override async at(...request: Parameters<TransformationStore['at']>) {
        const isFirst = waits;
        waits = false;
        const found = await super.at(...request);
        if (isFirst) {
          marking.resolve(undefined);
          await released.promise;
        }
        return found;
      }
    }
    const cache = newCache(filteredReader, new WaitingStore(database.db));
    const site = { id: { workspace, contextId: 'late-marks' }, filter: undefined, tag: null };
    const derived = { path: 'project_metadata.late', value: 1, from: [], transformation: 'late' };
    await history.append(
      'late-marks',
      did('ContextCreated', {}),
      did('ValueDerived', { ...derived, transformationVersion: 1 }),
    );
    await cache.read(site);
    await transformations.put(workspace, 'late', {
      definition: {
        trigger: { step: 's' },
        sources: { all: 'context.s' },
        operation: { kind: 'score', expression: 'len(all)' },
        destinations: [derived.path],
      },
      by: 'admin',
    });
    waits = true;
    const first = cache.read(site);
    await marking.promise;
    await history.append('late-marks', did('PhaseStarted', { phase: 'p' }));
    const second = cache.read(site);
    // Long enough for the second read to be over, unless it waits for the first.
    await history.append('elsewhere', did('ContextCreated', {}));
    for (let at = 0; at < 40; at++)
      await history.append('elsewhere', did('PhaseStarted', { phase: `p${at}` }));
    released.resolve(undefined);
    await first;
    const newest = await second;
    expect(newest?.snapshot.head.version).toBe(3);
    expect((await cache.read(site))?.snapshot).toBe(newest?.snapshot);
  });

  it('include all events appended before the read, regardless of their number', async () => {
    const id = { workspace, contextId: 'many' };
    const cache = newCache();
    await history.append('many', did('ContextCreated', {}));
    for (const count of [1, 2, 63, 64, 65, 200]) {
      const outputs = Array.from({ length: count }, (_, at) =>
        did('StepOutputAdded', { stepId: `s-${count}-${at}`, output: at }),
      );
      await history.append('many', ...outputs);
      const found = await cache.read({ id, filter: undefined, tag: null });
      const { head } = await filteredReader.read({ id, filter: undefined }, { kinds: [] });
      expect(found?.snapshot.head.version).toBe(head?.version);
      const newest = found?.snapshot.now.source.timeline.entries.at(-1);
      expect(newest?.key).toBe(`s-${count}-${count - 1}`);
    }
  });

  it('are marked once for all concurrent readers when the transformations have changed', async () => {
    const id = { workspace, contextId: 'marked' };
    const cache = newCache();
    const derived = { path: 'project_metadata.marked', value: 1, from: [] };
    const by = { transformation: 'marking', transformationVersion: 1 };
    await history.append(
      'marked',
      did('ContextCreated', {}),
      did('ValueDerived', { ...derived, ...by }),
    );
    await cache.read({ id, filter: undefined, tag: null });
    await transformations.put(workspace, 'marking', {
      definition: {
        trigger: { step: 's' },
        sources: { all: 'context.s' },
        operation: { kind: 'score', expression: 'len(all)' },
        destinations: [derived.path],
      },
      by: 'admin',
    });
    const readers = Array.from({ length: 10 }, () =>
      cache.read({ id, filter: undefined, tag: null }),
    );
    const sources = (await Promise.all(readers)).map((found) => found?.snapshot.now);
    expect(new Set(sources).size).toBe(1);
  });

  it('show whether a transformation derives a value, after each change of the transformations', async () => {
    const path = 'project_metadata.score';
    const put = (id: string, active: boolean) =>
      transformations.put(workspace, id, {
        definition: {
          trigger: { step: 's' },
          sources: { all: 'context.s' },
          operation: { kind: 'score', expression: 'len(all)' },
          destinations: [path],
          active,
        },
        by: 'admin',
      });
    const derived = (value: number, transformation = 'score') =>
      did('ValueDerived', { path, value, from: [], transformation, transformationVersion: 1 });
    const id = { workspace, contextId: 'scored' };
    const cache = newCache();
    await history.append('scored', did('ContextCreated', {}));
    await expectSame(cache, 'scored');
    const headings: string[] = [];
    for (const step of [
      () => history.append('scored', derived(1)),
      () => put('score', true),
      () => history.append('scored', did('PhaseStarted', { phase: 'p' })),
      () => put('score', false),
      () => history.append('scored', did('PhaseStarted', { phase: 'q' })),
      () => history.append('scored', derived(2, 'other')),
      () => put('other', true),
      () => history.append('scored', derived(3, 'other')),
      () => history.append('scored', did('ContextRestored', { version: 1 })),
      () => put('other', false),
    ]) {
      await step();
      await expectSame(cache, 'scored');
      const found = await cache.read({ id, filter: undefined, tag: null });
      const entry = found?.snapshot.now.source.timeline.entries.find(({ key }) => key === path);
      headings.push(entry?.statusLabels.join() ?? 'none');
    }
    const inactive = 'inactive: no transformation derives it';
    expect(headings).toEqual([
      inactive,
      '',
      '',
      inactive,
      inactive,
      inactive,
      '',
      '',
      'none',
      'none',
    ]);
  });

  it('include the previous version, which is read once', async () => {
    const site = { id: { workspace, contextId: 'before' }, filter: undefined, tag: null };
    const cache = newCache();
    const read = async () => {
      const found = await cache.read(site);
      if (!found) throw new Error('there is no such context');
      return found.snapshot;
    };
    await history.append('before', did('ContextCreated', {}), did('PhaseStarted', { phase: 'p' }));
    const first = await read();
    expect(first.before?.timeline.entries).toEqual([]);
    expect(await read()).toBe(first);
    await history.append('before', did('StepOutputAdded', { stepId: 's', output: 1 }));
    expect((await read()).before).toBe(first.now.source);
  });

  it('are rendered once for all readers with the same parameters, and again after each event', async () => {
    let renderings = 0;
    class CountingSummary extends ViewTallyStore {
      override prepare(...prepared: Parameters<ViewTallyStore['prepare']>) {
        renderings += 1;
        return super.prepare(...prepared);
      }
    }
    const { db } = database;
    const contexts = new AuthorizedContextReader(
      filteredReader.reader,
      filteredReader,
      new Audiences(new PolicyStore(db)),
    );
    const focus = new ViewFocus(contexts, new ContextHierarchy(db, contexts));
    const settings = new SettingsStore(db, defaultSettings);
    const summary = new CountingSummary(db, { failed: (error) => expect(error).toBeUndefined() });
    const views = new Views(
      new ViewDefaults(db, settings, new AgentStore(db), focus),
      new ViewSourceReader(contexts, newCache(), new SourcePairs(previous(), focus), marks),
      summary,
      new Receipts(createSecretKey(Buffer.alloc(32, 1))),
    );
    const principal = rootPrincipal(workspace);
    const request = { principal, contextId: 'rendered', tokenizer: 'chars4' as const };
    await history.append('rendered', did('ContextCreated', { title: 'first' }));
    const concurrent = Array.from({ length: 10 }, () => views.render(request));
    const [first, ...others] = await Promise.all(concurrent);
    for (const other of others) expect(other).toEqual(first);
    expect(await views.render(request)).toEqual(first);
    expect(renderings).toBe(1);
    const small = await views.render({ ...request, maxTokens: 30, overflow: 'minimum' });
    expect(small.tokens).toBeLessThanOrEqual(30);
    expect(renderings).toBe(2);
    await history.append('rendered', did('StepOutputAdded', { stepId: 's', output: 'second' }));
    expect((await views.render(request)).text).toContain('second');
    expect(renderings).toBe(3);
    await history.append('rendered', did('StepOutputAdded', { stepId: 't', output: 'third' }));
    const afterWrite = await Promise.all(Array.from({ length: 10 }, () => views.render(request)));
    expect(new Set(afterWrite.map(({ text }) => text)).size).toBe(1);
    expect(afterWrite[0]?.text).toContain('third');
    expect(renderings).toBe(4);
    await expect(views.render({ ...request, maxTokens: 1 })).rejects.toThrow('smallest view');
    await summary.settled();
  });

  it('are undefined before the context exists', async () => {
    const site = { id: { workspace, contextId: 'late' }, filter: undefined, tag: null };
    const cache = newCache();
    expect(await cache.read(site)).toBeUndefined();
    await history.append('late', did('ContextCreated', {}));
    expect((await cache.read(site))?.snapshot.head.version).toBe(1);
  });
});

type Facts = fc.Stream<readonly [string, 'record' | 'working']>;
