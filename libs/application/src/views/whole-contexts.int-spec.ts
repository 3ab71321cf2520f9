import fc from 'fast-check';

import {
  type ViewSource,
  noMemo,
  renderView,
  tokenizerOf,
  viewKinds,
  viewSource,
} from '#context-views';
import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader } from '#read-models';
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
import { PreviousVersion } from './previous-version.js';
import { WholeContexts } from './whole-contexts.js';

const workspace = 'default';
const tokenizer = tokenizerOf('chars4');
const budgets = [60, 400, 4_000].map((maxTokens) => ({
  ...{ maxTokens, tokenizer, newest: 2, overflow: 'minimum' as const },
}));

describe('contexts kept between views', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let history: HistoryWriter;
  let reader: ContextReader;

  beforeAll(async () => {
    server = await openTestServer();
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    history = new HistoryWriter(store);
    reader = new ContextReader(database.db, store);
  });
  afterAll(async () => {
    await store.close();
    await database.close();
    await server.close();
  });

  const texts = (now: ViewSource, before: ViewSource | undefined) =>
    budgets.map((budget) => renderView(now, before, budget, noMemo));

  /** As if nothing had been kept. */
  const afresh = async (contextId: string) => {
    const id = { workspace, contextId };
    const { head, state } = await reader.read(id, { kinds: viewKinds });
    const version = head?.version ?? 0;
    const gated = new GatedReader(reader, store, database.db);
    const items = [...state.values()];
    const principal = rootPrincipal(workspace);
    const site = { id, version, gate: undefined, principal };
    const before = await new PreviousVersion(gated, store).find(site, items);
    return texts(
      viewSource({ contextId, items }),
      before && viewSource({ contextId, items: before }),
    );
  };

  it('give the bytes that reading them anew gives, after every event and every restore', async () => {
    const runs = fc.sample(fc.tuple(contextCommands, fc.nat(30)), { numRuns: 12, seed: 20261121 });
    for (const [n, [commands, back]] of runs.entries()) {
      const contextId = `kept-${n}`;
      const id = { workspace, contextId };
      const whole = new WholeContexts(reader, store);
      await history.append(contextId, did('ContextCreated', { preferences: { a: 1 } }));
      const events = contextFrom(commands)
        .events.slice(1)
        .map(({ type, data }) => did(type, data));
      const version = Math.max(1, events.length - back);
      const restored = did('ContextRestored', { version });
      for (const event of [
        ...events.slice(0, 40),
        ...(events.length > 40 ? [] : [restored]),
        did('PhaseStarted', { phase: 'p' }),
      ]) {
        await history.append(contextId, event);
        const kept = await whole.read(id);
        if (!kept) throw new Error(`there is no ${contextId}`);
        const [expected, actual] = [await afresh(contextId), texts(kept.now.source, kept.before)];
        // Read for the first time, nothing is known of the version before.
        if (kept.before) expect(actual).toEqual(expected);
        else expect(actual.map(told)).toEqual(expected.map(told));
      }
    }
  });

  it('hold what was appended before they were asked for, however much it is', async () => {
    const id = { workspace, contextId: 'many' };
    const whole = new WholeContexts(reader, store);
    await history.append('many', did('ContextCreated', {}));
    for (const count of [1, 2, 63, 64, 65, 200]) {
      const outputs = Array.from({ length: count }, (_, at) =>
        did('StepOutputAdded', { stepId: `s-${count}-${at}`, output: at }),
      );
      await history.append('many', ...outputs);
      const kept = await whole.read(id);
      expect(kept?.head.version).toBe((await reader.read(id, { kinds: [] })).head?.version);
      expect(kept?.now.source.timeline.entries.at(-1)?.key).toBe(`s-${count}-${count - 1}`);
    }
  });

  it('are nothing where there is no such context, and are there once there is', async () => {
    const id = { workspace, contextId: 'late' };
    const whole = new WholeContexts(reader, store);
    expect(await whole.read(id)).toBeUndefined();
    await history.append('late', did('ContextCreated', {}));
    expect((await whole.read(id))?.head.version).toBe(1);
  });
});

function told(view: ReturnType<typeof renderView>) {
  return 'text' in view ? { text: view.text, items: view.items } : view;
}
