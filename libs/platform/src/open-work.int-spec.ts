import fc from 'fast-check';

import { PostgresEventStore } from '#event-store-postgres';
import { auditStore } from '#operations';
import { ContextReader, Projector, workKinds, workOf } from '#read-models';
import { type NewContextEvent } from '#shared-context';
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

const workspace = 'default';

type Step =
  | Readonly<{ does: 'write'; context: number; events: readonly NewContextEvent[] }>
  | Readonly<{ does: 'restore' | 'fork'; context: number; back: number }>
  | Readonly<{ does: 'project' }>;

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant('write' as const),
        context: fc.nat(9),
        events: contextCommands.map((commands) => [
          ...contextFrom(commands).events.slice(1),
          did('HandoverNoted', { handoverId: 'h', to: 'ada', note: 'n' }),
        ]),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constantFrom('restore' as const, 'fork' as const),
        context: fc.nat(9),
        back: fc.nat(15),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ does: 'project' as const }) },
  ),
  { minLength: 6, maxLength: 14 },
);

describe('open work', () => {
  let server: TestServer;
  let database: TestDatabase;
  let store: PostgresEventStore;
  let history: HistoryWriter;

  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    database = await openTestDatabase(server);
    store = new PostgresEventStore({ pool: database.pool });
    history = new HistoryWriter(store);
  });
  afterEach(async () => {
    await store.close();
    await database.close();
  });

  it('equals the open work in the items of every context, after restores and forks', async () => {
    const contexts: string[] = [];
    for (const [n, run] of fc.sample(steps, { numRuns: 8, seed: 20261121 }).entries())
      contexts.push(...(await play(`c-${n}`, run)));
    await project();
    const rows = await rowsByContext();
    expect(rows.size).toBeGreaterThan(5);
    for (const contextId of contexts)
      expect(rows.get(contextId) ?? []).toEqual(await due(contextId));
  }, 120_000);

  it('is reported by the audit if a row was changed or deleted', async () => {
    await history.append('c', did('ContextCreated', {}));
    await history.append('c', did('HandoverNoted', { handoverId: 'h', to: 'ada', note: 'n' }));
    await project();
    expect(await verdict()).toBe('held');
    await database.pool.query(`update throughline.open_work set due = false`);
    expect(await verdict()).toBe('violated');
    await database.pool.query(`delete from throughline.open_work`);
    expect(await verdict()).toBe('violated');
  });

  async function verdict() {
    const { reports } = await auditStore({ db: database.db, store }, undefined);
    return reports.find(({ id }) => id === 'I6')?.verdict;
  }

  async function project(): Promise<void> {
    const projector = new Projector(database.db, store);
    projector.start();
    await waitForProjector(projector);
    await projector.stop();
  }

  async function play(name: string, run: readonly Step[]): Promise<readonly string[]> {
    const sizes = new Map([[`${name}-0`, 1]]);
    await history.append(`${name}-0`, did('ContextCreated', {}));
    for (const step of run) {
      if (step.does === 'project') {
        await project();
        continue;
      }
      const names = [...sizes.keys()];
      const contextId = names[step.context % names.length] ?? '';
      const size = sizes.get(contextId) ?? 1;
      if (step.does === 'write') {
        await history.append(contextId, ...step.events);
        sizes.set(contextId, size + step.events.length);
        continue;
      }
      const version = Math.max(size - step.back, 1);
      if (step.does === 'restore') {
        await history.append(contextId, did('ContextRestored', { version }));
        sizes.set(contextId, size + 1);
      } else {
        const fork = `${name}-${names.length}`;
        await history.append(fork, did('ContextForked', { source: { contextId, version } }));
        sizes.set(fork, 1);
      }
    }
    return [...sizes.keys()];
  }

  async function rowsByContext() {
    const { rows } = await database.pool.query<Record<string, unknown>>(`
      select context_id, kind, key, assignee, due, priority, opened_at as "openedAt", from_version as "fromVersion",
        state, body
      from throughline.open_work order by kind, key`);
    return Map.groupBy(
      rows.map(({ context_id, ...row }) => ({ context_id, row })),
      ({ context_id }) => context_id,
    );
  }

  async function due(contextId: string) {
    const reader = new ContextReader(database.db, store);
    const { state } = await reader.read({ workspace, contextId }, { kinds: workKinds });
    return [...state.values()]
      .flatMap((item) => {
        const work = workOf(item);
        const { kind, key, fromVersion } = item;
        const texts = { state: JSON.stringify(item.state), body: JSON.stringify(item.body) };
        return work ? [{ kind, key: inColumn(key), ...work, fromVersion, ...texts }] : [];
      })
      .toSorted((a, b) => (`${a.kind} ${a.key}` < `${b.kind} ${b.key}` ? -1 : 1))
      .map((row) => ({ context_id: contextId, row: { ...row, body: row.body ?? null } }));
  }
});

function inColumn(key: string): string {
  return JSON.stringify(key).slice(1, -1);
}
