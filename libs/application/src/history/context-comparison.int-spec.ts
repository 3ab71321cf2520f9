import fc from 'fast-check';

import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader, Projector } from '#read-models';
import { compareContexts, itemKinds } from '#shared-context';
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
import { VisibilityFilter, FilteredReader, builtInPolicies, isShown } from '#visibility';

import { ActivityReader } from '../reading/activity-reader.js';
import { BasisDecisions } from '../reading/basis-decisions.js';
import { ComparedItemsReader } from './compared-items.js';
import {
  type ComparisonPosition,
  decodeComparisonCursor,
  encodeComparisonCursor,
} from './comparison-cursor.js';
import { ContextComparison } from './context-comparison.js';
import { DependentItemsReader } from './dependent-items-reader.js';
import { RangeEvents } from './range-events.js';
import { type PageDifference } from './history.queries.js';

type Versions = Readonly<{ from: number; to: number }>;

const id = (contextId: string) => ({ workspace: 'default', contextId });
const output = (stepId: string) => did('StepOutputAdded', { stepId, output: stepId });

/** The parts of a receipt that folding reads. */
const receiptOf = (contextId: string, version: number) =>
  `r1.${Buffer.from(JSON.stringify(['default', contextId, version])).toString('base64url')}.c2ln`;

describe('the comparison of two versions', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let filteredReader: FilteredReader;
  let comparison: ContextComparison;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    filteredReader = new FilteredReader(new ContextReader(database.db, store), store, database.db);
    comparison = comparisonOf(filteredReader);
  });

  afterAll(async () => {
    await store.close();
    await database.close();
    await server.close();
  });

  function comparisonOf(reader: FilteredReader): ContextComparison {
    const { db } = database;
    const items = new ComparedItemsReader(reader, db);
    return new ContextComparison(
      new RangeEvents(reader, db),
      items,
      new DependentItemsReader(items, new BasisDecisions(reader, db), reader, db),
      new ActivityReader(reader, db),
    );
  }

  /** All visible items at a version. */
  async function visibleItems(contextId: string, version: number, filter?: VisibilityFilter) {
    if (version === 0) return [];
    const request = { id: id(contextId), filter, version };
    const { state } = await filteredReader.read(request, { kinds: itemKinds });
    return [...state.values()].filter((item) => !filter || isShown(filter, item));
  }

  async function pages(
    contextId: string,
    versions: Versions,
    limit: number,
    filter?: VisibilityFilter,
  ) {
    const range = { ...id(contextId), ...versions };
    const found = [];
    let place: ComparisonPosition | undefined = { version: range.from, nth: 0 };
    while (place) {
      const page = await comparison.page({ range, place, limit, filter });
      found.push(page);
      expect(page.events.length).toBeLessThanOrEqual(limit);
      // The next page continues at the cursor.
      const head = { ...id(contextId), version: range.to };
      place =
        page.next && decodeComparisonCursor(encodeComparisonCursor(range, page.next), head).place;
    }
    return found;
  }

  /** All pages merged, each entry once, sorted. */
  async function paged(
    contextId: string,
    versions: Versions,
    limit: number,
    filter?: VisibilityFilter,
  ) {
    const found = await pages(contextId, versions, limit, filter);
    const [first, ...others] = found.map(({ difference }) => difference);
    if (!first) throw new Error('there is no page');
    return others.reduce(joined, sorted(first));
  }

  const expectAgreement = async (
    contextId: string,
    versions: Versions,
    filter?: VisibilityFilter,
  ) => {
    const before = await visibleItems(contextId, versions.from, filter);
    const expected = sorted(
      compareContexts(before, await visibleItems(contextId, versions.to, filter)),
    );
    for (const limit of [2, 50])
      expect({ versions, limit, ...(await paged(contextId, versions, limit, filter)) }).toEqual({
        versions,
        limit,
        ...expected,
      });
    return expected;
  };

  async function projected(): Promise<void> {
    const projector = new Projector(database.db, store);
    projector.start();
    await waitForProjector(projector);
    await projector.stop();
  }

  it('equals in pages the difference of the full states, at any lag of the rows', async () => {
    const histories = fc.sample(contextCommands, { numRuns: sized(3, 8), seed: 20261121 });
    const writer = new HistoryWriter(store);
    const half = async (part: 'first' | 'second') => {
      for (const [n, commands] of histories.entries()) {
        const { events } = contextFrom(commands);
        const middle = Math.ceil(events.length / 2);
        const some = part === 'first' ? events.slice(0, middle) : events.slice(middle);
        if (some.length > 0) await writer.append(`c-${n}`, ...some);
      }
    };
    await half('first');
    await projected();
    await half('second');
    const agree = async () => {
      for (const [n, commands] of histories.entries()) {
        const last = contextFrom(commands).events.length;
        for (const [from, to] of [
          [0, last],
          [Math.floor(last / 2), last],
          [Math.floor(last / 3), Math.ceil(last / 2)],
          [last, last],
        ] as const)
          await expectAgreement(`c-${n}`, { from, to });
      }
    };
    await agree();
    await projected();
    await agree();
  });

  it('reports stale work for any version that its author had read', async () => {
    const topic = { topic: 'store', decision: 'd' };
    const decided = (nth: number) =>
      did('DecisionRecorded', {
        ...topic,
        decisionId: `D-${nth}`,
        ...(nth > 0 && { supersedes: `D-${nth - 1}` }),
      });
    const work = (nth: number) =>
      nth % 3 === 0
        ? did('DecisionRecorded', { decisionId: `W-${nth}`, decision: 'w' })
        : output(`s-${nth % 7}`);
    const writer = new HistoryWriter(store);
    const length = 40;
    for (let nth = 0; nth < length; nth++) {
      if (nth === length / 2) await projected();
      const event =
        nth === 0 ? did('ContextCreated', {}) : nth % 8 === 1 ? decided((nth - 1) / 8) : work(nth);
      const read = (nth * 5) % (nth + 1);
      await writer.append('based', {
        ...event,
        ...(read > 0 && { basedOn: receiptOf('based', read) }),
      });
    }
    let stale = 0;
    const agree = async () => {
      for (let from = 0; from <= length; from += sized(6, 3))
        for (const to of [from + 1, from + 4, length].filter((version) => version <= length)) {
          const { workStale, decisionsStale } = await expectAgreement('based', { from, to });
          stale += workStale.length * decisionsStale.length;
        }
    };
    await agree();
    await projected();
    await agree();
    expect(stale).toBeGreaterThan(10);
  });

  it('reports decisions that depend on others through chains of any length', async () => {
    const writer = new HistoryWriter(store);
    const length = 12;
    const chain = Array.from({ length }, (_, n) =>
      did('DecisionRecorded', {
        decisionId: `C-${n}`,
        decision: 'd',
        topic: `topic ${n}`,
        relatedDecisions: n === 0 ? [] : [{ decisionId: `C-${n - 1}`, relation: 'requires' }],
      }),
    );
    const supersede = (n: number, decisionId: string) =>
      did('DecisionRecorded', {
        decisionId,
        decision: 'd',
        topic: `topic ${n}`,
        supersedes: `C-${n}`,
      });
    await writer.append('chain', did('ContextCreated', {}), ...chain);
    await projected();
    await writer.append('chain', supersede(9, 'again'), supersede(0, 'anew'));
    const agree = async () => {
      const near = await expectAgreement('chain', { from: length + 1, to: length + 2 });
      expect(near.decisionsStale.map(({ decisionId }) => decisionId)).toEqual(['C-10', 'C-11']);
      const all = await expectAgreement('chain', { from: length + 1, to: length + 3 });
      expect(all.decisionsStale).toHaveLength(length - 1);
      await expectAgreement('chain', { from: length + 2, to: length + 3 });
      await expectAgreement('chain', { from: 4, to: length + 3 });
    };
    await agree();
    await projected();
    await agree();
  });

  it('compares versions across a restore and after one', async () => {
    const writer = new HistoryWriter(store);
    await writer.append(
      'restored',
      did('ContextCreated', {}),
      did('StepStarted', { stepId: 'a' }),
      output('a'),
      did('StepStarted', { stepId: 'b' }),
    );
    await projected();
    await writer.append(
      'restored',
      did('ContextRestored', { version: 2 }),
      output('c'),
      output('a'),
    );
    const agree = async () => {
      for (const [from, to] of [
        [0, 7],
        [3, 5],
        [4, 6],
        [5, 6],
        [6, 7],
      ] as const)
        await expectAgreement('restored', { from, to });
    };
    await agree();
    await projected();
    await agree();
    const { outputsWithdrawn } = await paged('restored', { from: 4, to: 5 }, 50);
    expect(outputsWithdrawn).toMatchObject([{ stepId: 'a' }]);
  });

  it('equals the difference of the full states across restores, forks and visibility filters', async () => {
    const filters = [
      ...Object.values(builtInPolicies),
      { show: [{ types: ['*'], failedSteps: true as const }, { types: ['StepFailed'] }] },
    ].map((policy) => new VisibilityFilter(policy, { audience: 'x', agentId: 'a' }));
    const histories = fc.sample(contextCommands, { numRuns: sized(1, 3), seed: 20261122 });
    const writer = new HistoryWriter(store);
    const sizes = new Map<string, number>();
    for (const [n, commands] of histories.entries()) {
      const events = contextFrom(commands).events.map(({ type, data }, at) => ({
        ...did(type, data, at % 3 === 1 ? 'working' : 'record'),
        principal: at % 2 === 0 ? 'a' : 'b',
      }));
      const [parent, child] = [`p-${n}`, `f-${n}`];
      const version = Math.max(1, Math.floor(events.length / 2));
      await writer.append(parent, ...events, did('ContextRestored', { version }), output('late'));
      const source = { contextId: parent, version: events.length + 2 };
      const failed = did('StepFailed', { stepId: 'late', reason: 'r' });
      await writer.append(child, did('ContextForked', { source }), failed, output('own'));
      sizes.set(parent, events.length + 2).set(child, 3);
    }
    const startsIn = (size: number) => {
      const middle = Math.floor(size / 2);
      return new Set(sized([middle], [0, middle, size - 1]));
    };
    const agree = async () => {
      for (const [contextId, size] of sizes)
        for (const filter of [undefined, ...filters])
          for (const from of startsIn(size))
            await expectAgreement(contextId, { from, to: size }, filter);
    };
    await agree();
    await projected();
    await agree();
  }, 120_000);

  it('lists each event and each output once in pages of limited size', async () => {
    const writer = new HistoryWriter(store);
    await writer.append('long', did('ContextCreated', {}));
    for (let batch = 0; batch < 6; batch++)
      await writer.append(
        'long',
        ...Array.from({ length: 400 }, (_, n) => output(`s-${batch}-${n}`)),
      );
    await writer.append('long', ...Array.from({ length: 10 }, (_, n) => output(`s-0-${n}`)));
    await projected();
    const found = await pages('long', { from: 1, to: 2411 }, 500);
    expect(found.map(({ events }) => events.length)).toEqual([500, 500, 500, 500, 410]);
    const named = found.flatMap(({ difference }) => difference.outputsAdded);
    expect(named).toHaveLength(2400);
    expect(new Set(named.map(({ stepId }) => stepId)).size).toBe(2400);
    expect(found[4]?.difference.outputsAdded.at(-1)).toMatchObject({ stepId: 's-0-9' });
  });

  it('continues within an event that changes more than fits in a page', async () => {
    const writer = new HistoryWriter(store);
    const names = Array.from({ length: 12 }, (_, n) => `name-${n}`);
    const large = names.map((name) =>
      did('PreferencesSet', { values: { [name]: 'x'.repeat(1_000_000) } }),
    );
    const removed = Object.fromEntries(names.map((name) => [name, null]));
    await writer.append('large', did('ContextCreated', {}));
    for (const event of large) await writer.append('large', event);
    await writer.append('large', did('PreferencesSet', { values: removed }), output('last'));
    const found = await pages('large', { from: 13, to: 15 }, 50);
    expect(found.map(({ events }) => events.map(({ version }) => version))).toEqual([[14], [15]]);
    const changed = found.map(({ difference }) => difference.preferencesChanged.length);
    expect(changed).toEqual([8, 4]);
  });

  it('costs in proportion to its result, not to the history', async () => {
    const writer = new HistoryWriter(store);
    for (const [contextId, outputs] of [
      ['few', 150],
      ['many', 1_500],
    ] as const) {
      await writer.append(contextId, did('ContextCreated', {}));
      for (let at = 0; at < outputs; at += 250)
        await writer.append(
          contextId,
          ...Array.from({ length: Math.min(250, outputs - at) }, (_, n) =>
            output(`s-${String(at + n).padStart(4, '0')}`),
          ),
        );
      await writer.append(
        contextId,
        did('DecisionRecorded', { decisionId: 'D', decision: 'd' }),
        did('DecisionRecorded', { decisionId: 'E', decision: 'e', supersedes: 'D' }),
        did('StepFailed', { stepId: 's-0007', reason: 'r' }),
      );
    }
    await projected();
    const sent = listenToStatements(database.pool);
    const costsOf = (contextId: string, size: number, more: Versions & { limit: number }) => {
      const range = { ...id(contextId), from: more.from, to: size };
      const place = { version: more.from, nth: 0 };
      return sent.costs(() =>
        comparison.page({ range, place, limit: more.limit, filter: undefined }),
      );
    };
    for (const [behind, limit] of [
      [Infinity, 1],
      [Infinity, 50],
      [3, 50],
      [2, 1],
    ] as const) {
      const costsIn = (contextId: string, size: number) =>
        costsOf(contextId, size, { from: Math.max(size - behind, 0), to: size, limit });
      const [short, long] = [await costsIn('few', 154), await costsIn('many', 1_504)];
      const { statements, rows } = short;
      expect({ behind, limit, ...long }).toMatchObject({ behind, limit, statements, rows });
      expect(Math.abs(long.characters - short.characters)).toBeLessThan(200);
    }
  });
});

/** Sorts the entries, so that their order does not depend on pages. */
function sorted(difference: PageDifference): PageDifference {
  const members = Object.entries(difference).map(([name, part]) => [
    name,
    Array.isArray(part) ? unique(part) : part,
  ]);
  // The same members, of the same types.
  return Object.fromEntries(members) as PageDifference;
}

function unique(list: readonly unknown[]): readonly unknown[] {
  const texts = new Set(list.map((entry) => JSON.stringify(entry)));
  return [...texts].sort().map((text) => JSON.parse(text) as unknown);
}

function joined(first: PageDifference, second: PageDifference): PageDifference {
  const members = Object.entries(first).map(([name, part]) => {
    const other: unknown = Reflect.get(second, name);
    return [
      name,
      Array.isArray(part) && Array.isArray(other) ? [...part, ...other] : (part ?? other),
    ];
  });
  return sorted(Object.fromEntries(members) as PageDifference);
}
