import fc from 'fast-check';

import {
  Gate,
  type ViewSource,
  builtInPolicies,
  isShown,
  renderView,
  tokenizerOf,
  viewKinds,
  viewSource,
} from '#context-views';
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
} from '#testing';

import { GatedReader } from '../audiences/gated-reader.js';
import { rootPrincipal } from '../keys/keys.handlers.js';
import { DerivedMarks } from '../transformations/derived-marks.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { KeptContexts } from './kept-contexts.js';
import { PreviousVersion } from './previous-version.js';

const workspace = 'default';
const tokenizer = tokenizerOf('chars4');
const budgets = [60, 400, 4_000].map((maxTokens) => ({
  ...{ maxTokens, tokenizer, newest: 2, overflow: 'minimum' as const },
}));
const agents = ['a', 'b', 'tester'];

/** Nobody is kept from anything by the first. */
const gates = [
  undefined,
  ...[
    ...Object.values(builtInPolicies),
    { show: [{ types: ['*'], authors: ['a'] }] },
    { show: [{ types: ['*'] }], decisions: 'live' as const },
    {
      show: [{ types: ['*'], visibility: ['working' as const] }],
      hide: [{ types: ['RiskRaised'] }],
    },
  ].map((policy) => new Gate(policy, { audience: 'x', agentId: 'a' })),
];

const histories = fc.record({
  commands: contextCommands,
  back: fc.nat(30),
  facts: fc.infiniteStream(
    fc.tuple(fc.constantFrom(...agents), fc.constantFrom('record' as const, 'working' as const)),
  ),
});

describe('contexts kept between views', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let history: HistoryWriter;
  let gated: GatedReader;
  let transformations: TransformationStore;
  let marks: DerivedMarks;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    history = new HistoryWriter(store);
    gated = new GatedReader(new ContextReader(database.db, store), store, database.db);
    transformations = new TransformationStore(database.db);
    marks = new DerivedMarks(transformations);
  });
  afterAll(async () => {
    await store.close();
    await database.close();
    await server.close();
  });

  const keptFor = (reader = gated) => new KeptContexts(reader, store, transformations);

  const texts = (now: ViewSource, before: ViewSource | null | undefined) =>
    budgets.map((budget) => renderView(now, before ?? undefined, budget));

  /** As if nothing had been kept. */
  const afresh = async (contextId: string, gate: Gate | undefined) => {
    const id = { workspace, contextId };
    const { head, state } = await gated.read({ id, gate }, { kinds: viewKinds });
    const { items, transformationVersions } = await marks.mark(workspace, [...state.values()]);
    const principal = rootPrincipal(workspace);
    const version = head?.version ?? 0;
    const site = { id, version, gate, principal, transformationVersions };
    const before = await new PreviousVersion(gated, store, marks).find(site, items);
    const shown = gate && ((item: Item) => isShown(gate, item));
    const sourceOf = (all: readonly Item[]) =>
      viewSource({ contextId, items: all, isShown: shown });
    return texts(sourceOf(items), before && sourceOf(before));
  };

  const write = (events: ReturnType<typeof contextFrom>['events'], facts: Facts) =>
    events.map(({ type, data }) => {
      const [principal, visibility] = facts.next().value ?? [];
      return { ...did(type, data, visibility), principal: principal ?? 'tester' };
    });

  const expectKept = async (kept: KeptContexts, contextId: string) => {
    const id = { workspace, contextId };
    for (const [at, gate] of gates.entries()) {
      const found = await kept.read({ id, gate, tag: gate ? String(at) : null });
      if (!found) throw new Error(`there is no ${contextId}`);
      const { now, before } = found.context;
      const [expected, actual] = [await afresh(contextId, gate), texts(now.source, before)];
      // Read for the first time, nothing is known of the version before.
      if (before === undefined) expect(actual.map(told)).toEqual(expected.map(told));
      else expect(actual).toEqual(expected);
    }
  };

  it('give the bytes that reading them anew gives, to every audience, behind events and restores', async () => {
    const runs = fc.sample(histories, { numRuns: 12, seed: 20261121 });
    for (const [n, { commands, back, facts }] of runs.entries()) {
      const contextId = `kept-${n}`;
      const kept = keptFor();
      await history.append(contextId, did('ContextCreated', { preferences: { a: 1 } }));
      const events = write(contextFrom(commands).events.slice(1), facts);
      const restored = did('ContextRestored', { version: Math.max(1, events.length - back) });
      // Some are read after every event, others only now and then.
      const stride = [1, 2, 7][n % 3] ?? 1;
      for (const [at, event] of [
        ...events.slice(0, 40),
        ...(events.length > 40 ? [] : [restored]),
        did('PhaseStarted', { phase: 'p' }),
      ].entries()) {
        await history.append(contextId, event);
        if (at % stride === 0) await expectKept(kept, contextId);
      }
    }
  });

  it('are carried on by what was appended, for narrower audiences too', async () => {
    const id = { workspace, contextId: 'carried' };
    const kept = keptFor();
    await history.append('carried', did('ContextCreated', {}));
    const carriedOn: boolean[] = [];
    for (let at = 0; at < 3; at++) {
      await history.append('carried', did('StepOutputAdded', { stepId: `s${at}`, output: at }));
      for (const [gate, tag] of [[undefined, null] as const, [gates.at(-2), 'live'] as const])
        carriedOn.push((await kept.read({ id, gate, tag }))?.isNew === false);
    }
    expect(carriedOn).toEqual([false, false, true, true, true, true]);
  });

  it('do not tell a reader of what kind an event was that is hidden', async () => {
    const id = { workspace, contextId: 'hidden' };
    const policy = builtInPolicies['reviewer'];
    if (!policy) throw new Error('there is no such policy');
    const gate = new Gate(policy, { audience: 'reviewer', agentId: 'r' });
    const decision = { decisionId: 'D-1', topic: 't', decision: 'so', rationale: 'because' };
    await history.append('hidden', did('ContextCreated', {}), did('DecisionRecorded', decision));
    const kept = keptFor();
    await kept.read({ id, gate, tag: 'reviewer' });
    for (const event of [
      did('DecisionRecorded', { ...decision, decisionId: 'D-2', topic: 'u' }, 'working'),
      did('StepOutputAdded', { stepId: 's', output: 'hidden' }, 'working'),
    ]) {
      await history.append('hidden', event);
      const found = await kept.read({ id, gate, tag: 'reviewer' });
      if (!found) throw new Error('there is no such context');
      const { now, before } = found.context;
      for (const view of [...texts(now.source, before), ...(await afresh('hidden', gate))])
        expect(view).toMatchObject(
          'text' in view ? { stablePrefixTokens: Math.floor(view.text.length / 4) } : {},
        );
    }
  });

  it('are read once for all that ask at the same time, and hold what was appended meanwhile', async () => {
    let reads = 0;
    class CountingReader extends GatedReader {
      override read(...asked: Parameters<GatedReader['read']>) {
        reads += 1;
        return super.read(...asked);
      }
    }
    const reader = new ContextReader(database.db, store);
    const kept = keptFor(new CountingReader(reader, store, database.db));
    const wanted = { id: { workspace, contextId: 'asked' }, gate: undefined, tag: null };
    await history.append('asked', did('ContextCreated', {}));
    const first = Array.from({ length: 10 }, () => kept.read(wanted));
    await history.append('asked', did('PhaseStarted', { phase: 'p' }));
    const later = Array.from({ length: 10 }, () => kept.read(wanted));
    await Promise.all(first);
    for (const found of await Promise.all(later)) expect(found?.context.head.version).toBe(2);
    expect(reads).toBe(1);
  });

  it('hold what was appended before they were asked for, however much it is', async () => {
    const id = { workspace, contextId: 'many' };
    const kept = keptFor();
    await history.append('many', did('ContextCreated', {}));
    for (const count of [1, 2, 63, 64, 65, 200]) {
      const outputs = Array.from({ length: count }, (_, at) =>
        did('StepOutputAdded', { stepId: `s-${count}-${at}`, output: at }),
      );
      await history.append('many', ...outputs);
      const found = await kept.read({ id, gate: undefined, tag: null });
      const { head } = await gated.read({ id, gate: undefined }, { kinds: [] });
      expect(found?.context.head.version).toBe(head?.version);
      const newest = found?.context.now.source.timeline.entries.at(-1);
      expect(newest?.key).toBe(`s-${count}-${count - 1}`);
    }
  });

  it('are marked once by all that ask when the transformations have changed', async () => {
    const id = { workspace, contextId: 'marked' };
    const kept = keptFor();
    const derived = { path: 'project_metadata.marked', value: 1, from: [] };
    const by = { transformation: 'marking', transformationVersion: 1 };
    await history.append(
      'marked',
      did('ContextCreated', {}),
      did('ValueDerived', { ...derived, ...by }),
    );
    await kept.read({ id, gate: undefined, tag: null });
    await transformations.put(workspace, 'marking', {
      definition: {
        trigger: { step: 's' },
        sources: { all: 'context.s' },
        operation: { kind: 'score', expression: 'len(all)' },
        destinations: [derived.path],
      },
      by: 'admin',
    });
    const readers = Array.from({ length: 10 }, () => kept.read({ id, gate: undefined, tag: null }));
    const sources = (await Promise.all(readers)).map((found) => found?.context.now);
    expect(new Set(sources).size).toBe(1);
  });

  it('say of derived values whether a transformation derives them now, each time the transformations change', async () => {
    const path = 'project_metadata.score';
    const put = (id: string, active: boolean) =>
      transformations.put(workspace, id, {
        definition: {
          trigger: { step: 's' },
          sources: { all: 'context.s' },
          operation: { kind: 'score', expression: 'len(all)' },
          ...{ destinations: [path], active },
        },
        by: 'admin',
      });
    const derived = (value: number, transformation = 'score') =>
      did('ValueDerived', { path, value, from: [], transformation, transformationVersion: 1 });
    const id = { workspace, contextId: 'scored' };
    const kept = keptFor();
    await history.append('scored', did('ContextCreated', {}));
    await expectKept(kept, 'scored');
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
      await expectKept(kept, 'scored');
      const found = await kept.read({ id, gate: undefined, tag: null });
      const entry = found?.context.now.source.timeline.entries.find(({ key }) => key === path);
      headings.push(entry?.standing.join() ?? 'none');
    }
    const inactive = 'inactive: no transformation derives it';
    expect(headings).toEqual([
      ...[inactive, '', '', inactive, inactive, inactive, '', ''],
      ...['none', 'none'],
    ]);
  });

  it('are nothing where there is no such context, and are there once there is', async () => {
    const wanted = { id: { workspace, contextId: 'late' }, gate: undefined, tag: null };
    const kept = keptFor();
    expect(await kept.read(wanted)).toBeUndefined();
    await history.append('late', did('ContextCreated', {}));
    expect((await kept.read(wanted))?.context.head.version).toBe(1);
  });
});

type Facts = fc.Stream<readonly [string, 'record' | 'working']>;

function told(view: ReturnType<typeof renderView>) {
  return 'text' in view ? { text: view.text, items: view.items } : view;
}
