import { type Pool } from 'pg';

import { createDatabase } from '#database';
import { PostgresEventStore } from '#event-store-postgres';
import { ContextReader, SearchIndexer, findSearchStatus } from '#read-models';
import {
  HistoryWriter,
  did,
  listenToStatements,
  newEvents,
  projectAll,
  sized,
  useTestStore,
  waitFor,
} from '#testing';

import { loadConfig } from './config.js';
import { createLogger } from './logger.js';
import { openPool } from './stores.js';

/** PostgreSQL makes this number of custom plans before it considers a generic plan. */
const customPlans = 5;
const calls = 12;
/** Long, because the search index processes one context after another, with a transaction for each. */
const indexingMs = 120_000;

type PreparedStatement = Readonly<{
  name: string;
  statement: string;
  generic_plans: bigint;
  custom_plans: bigint;
  parameter_types: string;
}>;

/** Tables with few rows (one per projection, partition, process or job), which PostgreSQL may read sequentially. */
const smallTables =
  /^(store_identity|projections|projection_partitions|projector_instances|jobs|dead_letters)$/;

/** Plans that read a whole table, or all contexts of a workspace; none of the statements lists contexts. */
const readsMuch = /Seq Scan on (\w+)|using (contexts_newest)/;

describe('the statements', () => {
  const on = useTestStore();
  const log = createLogger(loadConfig({ THROUGHLINE_LOG_LEVEL: 'silent' }));
  const open = (plans?: 'generic') =>
    openPool(
      {
        connectionString: on.pool.options.connectionString ?? '',
        applicationName: 'plans',
        max: 1,
        ...(plans && { plans }),
      },
      log,
    );

  const sizes = [
    ['an empty database', 0],
    ['a small one', 3],
    ['a large one', sized(100, 400)],
  ] as const;
  const fill = async (contexts: number) => {
    const history = new HistoryWriter(on.store);
    for (let n = 0; n < contexts; n++)
      await history.append(
        `c-${n}`,
        did('ContextCreated', {}),
        did('StepOutputAdded', { stepId: 's', output: n }),
      );
    await projectAll(on.db, on.store);
    await on.pool.query('analyze');
  };

  it.each(sizes)(
    'of a request are planned once per connection and use indexes on %s',
    async (_, contexts) => {
      await fill(contexts);

      const [pool, streams] = [open(), open('generic')];
      const store = new PostgresEventStore({ pool: streams });
      const reader = new ContextReader(createDatabase(pool), store);
      const keys = [
        { kind: 'life', key: '' },
        { kind: 'step', key: 's' },
        { kind: 'step-output', key: 's' },
      ] as const;
      for (let n = 0; n < calls; n++) {
        await reader.read({ workspace: 'default', contextId: 'c-1' }, { keys, bodies: false });
        await store.append('plans', newEvents(1), n || 'no-stream');
      }
      const rows = await preparedIn(pool);
      const events = await preparedIn(streams);
      expect([rows.length, events.length]).toEqual([1, 2]);
      for (const { custom_plans: custom } of rows) expect(custom).toBe(BigInt(customPlans));
      for (const { custom_plans: custom } of events) expect(custom).toBe(0n);
      for (const statement of rows) expect(await planOf(pool, statement)).not.toMatch(readsMuch);
      for (const statement of events)
        expect(await planOf(streams, statement)).not.toMatch(readsMuch);
      await store.close();
      await Promise.all([pool.end(), streams.end()]);
    },
  );

  it.each(sizes)(
    'of the projector and of the search index use indexes on %s',
    async (_, contexts) => {
      await fill(contexts);
      const pool = open();
      const db = createDatabase(pool);
      const sent = listenToStatements(pool);
      const indexer = new SearchIndexer({ db, store: on.store });
      const texts = await sent.during(async () => {
        indexer.start();
        for (const output of ['a', 'b']) {
          await new HistoryWriter(on.store).append(
            `found-${output}`,
            did('ContextCreated', { title: 'flow' }),
            did('StepOutputAdded', { stepId: 's', output }),
          );
          await projectAll(db, on.store);
          indexer.wake();
        }
        await waitFor('a search index that has caught up', () => findSearchStatus(db), {
          until: ({ lagEvents }) => lagEvents === 0,
          timeoutMs: indexingMs,
        });
        await indexer.stop();
      });
      const statements = [...new Set(texts)].filter((text) =>
        /^(with|select|insert|update|delete)\b/i.test(text),
      );
      expect(statements.length).toBeGreaterThan(20);
      const fullScans: string[] = [];
      for (const text of statements)
        for (const table of await tablesReadWhole(pool, text))
          if (!smallTables.test(table)) fullScans.push(`${table}: ${text}`);
      expect(fullScans).toEqual([]);
      await pool.end();
    },
    2 * indexingMs,
  );
});

/** The tables that the generic plan of a statement reads completely. */
async function tablesReadWhole(pool: Pool, text: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  return [...plan.matchAll(new RegExp(readsMuch, 'g'))].map(
    ([, table, index]) => table ?? index ?? '',
  );
}

/** The statements that the only connection of the pool has prepared. */
async function preparedIn(pool: Pool): Promise<readonly PreparedStatement[]> {
  const { rows } = await pool.query<PreparedStatement>(`
    select name, statement, generic_plans, custom_plans, parameter_types::text
    from pg_prepared_statements where name like 'throughline%'`);
  return rows;
}

/** The generic plan. */
async function planOf(
  pool: Pool,
  { name, parameter_types: types }: PreparedStatement,
): Promise<string> {
  const nulls = types.slice(1, -1).split(',').map(() => 'null'); // prettier-ignore
  await pool.query('set plan_cache_mode = force_generic_plan');
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
    `explain execute ${name}(${nulls.join(', ')})`,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
