import { createHash } from 'node:crypto';

import { sql } from 'kysely';

import { renderView, tokenizerOf, viewKinds, viewSource, wholeText } from '#context-views';
import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader, Projector } from '#read-models';
import { type Item, bodyReaderOf } from '#shared-context';
import {
  HistoryWriter,
  type TestDatabase,
  type TestServer,
  did,
  openTestDatabase,
  openTestServer,
  sized,
  waitForProjector,
} from '#testing';
import { VisibilityFilter, FilteredReader, builtInPolicies } from '#visibility';

import { ViewTallyStore } from '../view-tallies/view-tally-store.js';
import { viewSelection } from './view-request-scope.js';

const large = (word: string) => `${word} is what this is about. `.repeat(1_300);
const tokenizer = tokenizerOf('chars4');
const o200k = tokenizerOf('o200k_base');
const budgets = [2_000, 100_000].map((maxTokens) => ({
  maxTokens,
  tokenizer,
  newest: 2,
  overflow: 'minimum' as const,
}));
const withheld = { show: [{ types: ['*'], without: ['rationale' as const] }] };
const filters = [
  undefined,
  ...[...Object.values(builtInPolicies).slice(0, sized(0, 2)), withheld].map(
    (policy) => new VisibilityFilter(policy, { audience: 'x', agentId: 'a' }),
  ),
];

const decision = (n: number, more: object = {}) =>
  did('DecisionRecorded', {
    decisionId: `DEC-00${n}`,
    topic: `topic ${n}`,
    decision: large(`decision ${n}`),
    rationale: large('why'),
    ...more,
  });

const work = [
  decision(1),
  did('PreferencesSet', { values: { tone: large('tone'), plan: { a: 1 } } }),
  did('GlobalContextSet', { values: { constraints: large('limit'), notes: large('note') } }),
  did('StepOutputAdded', { stepId: 's', output: { summary: large('output') } }),
  did('BlockerRaised', { blockerId: 'BLK-001', description: large('blocker') }),
  decision(2, {
    rationale: 'short',
    relatedDecisions: [{ decisionId: 'DEC-001', relation: 'requires' }],
  }),
  decision(3, { supersedes: 'DEC-001' }),
  did('GlobalContextSet', { values: { constraints: { most: large('most') } } }),
];

const noFault = {
  failed: (error: unknown) => {
    throw error;
  },
};

describe('the items of views', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let filteredReader: FilteredReader;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    filteredReader = new FilteredReader(new ContextReader(database.db, store), store, database.db);
    const history = new HistoryWriter(store);
    await history.append('c', did('ContextCreated', { title: 'large' }), ...work);
    await history.append('restored', did('ContextCreated', { title: 'large' }), ...work);
    await history.append('restored', did('ContextRestored', { version: 6 }), decision(4));
    const source = { contextId: 'c', version: 8 };
    await history.append('fork', did('ContextForked', { source }), decision(5));
  });
  afterAll(async () => {
    await store.close();
    await database.close();
    await server.close();
  });

  const shownOf = (items: readonly Item[]) =>
    budgets.map((budget) => renderView(viewSource({ contextId: 'c', items }), undefined, budget));
  const read = async (
    contextId: string,
    filter: VisibilityFilter | undefined,
    version?: number,
  ) => {
    const id = { workspace: 'default', contextId };
    const request = { id, filter, ...(version && { version }) };
    const full = await filteredReader.read(request, { kinds: viewKinds });
    const packed = await filteredReader.read(request, viewSelection);
    return [full, packed].map(({ state }) =>
      [...state.values()].toSorted((one, other) =>
        `${one.kind} ${one.key}` < `${other.kind} ${other.key}` ? -1 : 1,
      ),
    );
  };
  /** Views that are counted with the tokenizer of a model, and the stored counts; `workspace` isolates them. */
  const countedOf = async (items: readonly Item[], workspace: string) => {
    const id = { workspace, contextId: 'c' };
    const summary = new ViewTallyStore(database.db, noFault);
    const views = [];
    for (const maxTokens of [1_000, 40_000]) {
      const budget = { maxTokens, tokenizer: o200k, newest: 2, overflow: 'minimum' as const };
      const source = viewSource({ contextId: 'c', items });
      await summary.load(id, source.timeline, budget);
      await summary.count(id, [source], budget);
      views.push(renderView(source, undefined, budget));
      summary.store(id, [source.timeline]);
    }
    await summary.settled();
    const { rows } = await sql`
      select tokenizer, encode(hash, 'hex') as hash, units from throughline.context_summary_counts
      where workspace = ${workspace} order by 1, 2`.execute(database.db);
    return { views, rows };
  };
  const expectSame = async (contextId: string, version?: number) => {
    for (const filter of filters) {
      const [full = [], packed = []] = await read(contextId, filter, version);
      expect(full.length).toBeGreaterThan(0);
      expect(packed).toEqual(full);
      expect(shownOf(packed)).toEqual(shownOf(full));
      for (const item of packed)
        expect([item.key, bodyReaderOf(item) !== undefined]).toEqual([
          item.key,
          JSON.stringify(item.body ?? null).length > 32_768,
        ]);
    }
  };

  it('are the same with packed bodies, before they are projected', async () => {
    for (const contextId of ['c', 'restored', 'fork']) await expectSame(contextId);
    await expectSame('c', 6);
  });

  it('have the same counts of a real tokenizer, stored under the same hashes', async () => {
    const [full = [], packed = []] = await read('c', undefined);
    const [expected, actual] = [
      await countedOf(full, 'counted-whole'),
      await countedOf(packed, 'counted-packed'),
    ];
    expect(actual).toEqual(expected);
    const { timeline } = viewSource({ contextId: 'c', items: packed });
    for (const text of timeline.entries.map(wholeText))
      expect(actual.rows).toContainEqual({
        tokenizer: 'o200k_base',
        units: o200k.unitsOf(text),
        hash: createHash('sha256').update(text).digest('hex'),
      });
  });

  it('are the same with packed bodies after they are projected, also for restored contexts and forks', async () => {
    const projector = new Projector(database.db, store);
    projector.start();
    await waitForProjector(projector);
    for (const contextId of ['c', 'restored', 'fork']) await expectSame(contextId);
    await expectSame('c', 6);
    await projector.stop();
  });
});
