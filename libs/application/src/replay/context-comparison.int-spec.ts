import fc from 'fast-check';

import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader, Projector, wholeDocument } from '#read-models';
import { compareContexts } from '#shared-context';
import {
  HistoryWriter,
  type TestDatabase,
  type TestServer,
  contextCommands,
  contextFrom,
  did,
  openTestDatabase,
  openTestServer,
  waitForProjector,
} from '#testing';

import { GatedReader } from '../audiences/gated-reader.js';
import { ContextComparison } from './context-comparison.js';

const id = (contextId: string) => ({ workspace: 'default', contextId });
const output = (stepId: string) => did('StepOutputAdded', { stepId, output: stepId });

/** As far as folding looks at one. */
const receiptOf = (contextId: string, version: number) =>
  `r1.${Buffer.from(JSON.stringify(['default', contextId, version])).toString('base64url')}.c2ln`;

describe('the comparison of two versions', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let reader: ContextReader;
  let comparison: ContextComparison;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    reader = new ContextReader(database.db, store);
    comparison = new ContextComparison(new GatedReader(reader, store, database.db), database.db);
  });

  afterAll(async () => {
    await store.close();
    await database.close();
    await server.close();
  });

  async function whole(contextId: string, version: number) {
    if (version === 0) return [];
    const { state } = await reader.readAt(id(contextId), version, wholeDocument);
    return [...state.values()];
  }

  async function projected(): Promise<void> {
    const projector = new Projector(database.db, store);
    projector.start();
    await waitForProjector(projector);
    await projector.stop();
  }

  it('says the same from the items touched as from whole states, before and after projecting', async () => {
    const histories = fc.sample(contextCommands, { numRuns: 25, seed: 20261121 });
    const writer = new HistoryWriter(store);
    for (const [n, commands] of histories.entries())
      await writer.append(`c-${n}`, ...contextFrom(commands).events);
    const agree = async () => {
      for (const [n, commands] of histories.entries()) {
        const last = contextFrom(commands).events.length;
        for (const [from, to] of [
          [0, last],
          [Math.floor(last / 2), last],
          [Math.floor(last / 3), Math.ceil(last / 2)],
          [last, last],
        ] as const)
          expect(await comparison.compare({ ...id(`c-${n}`), from, to })).toEqual(
            compareContexts(await whole(`c-${n}`, from), await whole(`c-${n}`, to)),
          );
      }
    };
    await agree();
    await projected();
    await agree();
  });

  it('says the same of work that has gone stale, wherever its author had read', async () => {
    const topic = { topic: 'store', decision: 'd' };
    const decided = (nth: number) =>
      did('DecisionRecorded', {
        ...{ ...topic, decisionId: `D-${nth}` },
        ...(nth > 0 && { supersedes: `D-${nth - 1}` }),
      });
    const work = (nth: number) =>
      nth % 3 === 0
        ? did('DecisionRecorded', { decisionId: `W-${nth}`, decision: 'w' })
        : output(`s-${nth % 7}`);
    const writer = new HistoryWriter(store);
    const length = 40;
    for (let nth = 0; nth < length; nth++) {
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
      for (let from = 0; from <= length; from += 3)
        for (const to of [from + 1, from + 4, length].filter((version) => version <= length)) {
          const touched = await comparison.compare({ ...id('based'), from, to });
          const before = await whole('based', from);
          expect(touched).toEqual(compareContexts(before, await whole('based', to)));
          stale += touched.workStale.length * touched.decisionsStale.length;
        }
    };
    await agree();
    await projected();
    await agree();
    expect(stale).toBeGreaterThan(10);
  });

  it('compares across a restore and behind one', async () => {
    const writer = new HistoryWriter(store);
    await writer.append(
      'restored',
      did('ContextCreated', {}),
      did('StepStarted', { stepId: 'a' }),
      output('a'),
      did('StepStarted', { stepId: 'b' }),
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
        expect(await comparison.compare({ ...id('restored'), from, to })).toEqual(
          compareContexts(await whole('restored', from), await whole('restored', to)),
        );
    };
    await agree();
    await projected();
    await agree();
    const { outputsWithdrawn } = await comparison.compare({ ...id('restored'), from: 4, to: 5 });
    expect(outputsWithdrawn).toMatchObject([{ stepId: 'a' }]);
  });

  it('compares whole states where more events lie between than it reads', async () => {
    const writer = new HistoryWriter(store);
    await writer.append('long', did('ContextCreated', {}));
    for (let batch = 0; batch < 6; batch++)
      await writer.append(
        'long',
        ...Array.from({ length: 400 }, (_, n) => output(`s-${batch}-${n}`)),
      );
    await projected();
    const difference = await comparison.compare({ ...id('long'), from: 1, to: 2401 });
    expect(difference.outputsAdded).toHaveLength(2400);
    expect(difference.outputsAdded.at(-1)).toMatchObject({ stepId: 's-5-399', version: 2401 });
  });

  it('reads a handful of rows for a small change at the end of a long history', async () => {
    const reads: number[] = [];
    // A reader of one context reads streams and nothing else.
    const counted = new ContextReader(database.db, {
      ...store,
      readStream: async (...call: Parameters<typeof store.readStream>) => {
        const events = await store.readStream(...call);
        reads.push(events.length);
        return events;
      },
    } as unknown as PostgresEventStore);
    const small = new ContextComparison(new GatedReader(counted, store, database.db), database.db);
    const difference = await small.compare({ ...id('long'), from: 2399, to: 2401 });
    expect(difference.outputsAdded).toMatchObject([{ stepId: 's-5-398' }, { stepId: 's-5-399' }]);
    expect(reads).toEqual([2]);
  });
});
