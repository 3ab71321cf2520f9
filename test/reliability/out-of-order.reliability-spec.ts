import { setTimeout as delay } from 'node:timers/promises';

import { type Pool } from 'pg';

import { createPool } from '#database';
import { type EventStore, type Position, type StoredEvent } from '#event-sourcing';
import { PostgresEventStore } from '#event-store-postgres';
import { HistoryWriter, createEmptyDatabase, did, waitFor } from '#testing';

import { streamOf } from './harness/context-client.js';
import { recorded } from './harness/histories.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { type Run, runScenario } from './harness/scenario.js';
import { type SeededRandom } from './harness/seeded-random.js';
import { limitMs, sized } from './harness/size.js';
import { waitUntil } from './harness/wait-until.js';

const writers = 12;
const appendsEach = sized(25, 1_500);
/** The log assigns positions under one lock, so that each slow writer delays all others. */
const holdMs = sized(10, 30);
const naiveHoldMs = 200;

describe('R-07', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'subscribers miss nothing while transactions commit out of order, in contrast to a reader of a sequence',
    () =>
      runScenario('R-07', postgres, async (run) => {
        const pool = createPool({
          connectionString: run.database.connectionString,
          applicationName: 'writers',
          max: 3 * writers,
        });
        const bystanders = await openBystanders(run, postgres);
        const second = new PostgresEventStore({ pool });
        const ended = new AbortController();
        const consumers = [
          subscribe(run, run.store, { name: 'one-by-one', batchSize: 1 }, ended.signal),
          subscribe(run, run.store, { name: 'in-batches', batchSize: 500 }, ended.signal),
          subscribe(run, second, { name: 'elsewhere', batchSize: 100 }, ended.signal),
          subscribe(
            run,
            second,
            { name: 'comes-back', batchSize: 10, leaveAfter: 30 },
            ended.signal,
          ),
        ];
        await pool.query(
          'create table public.naive (position bigint generated always as identity primary key)',
        );
        const naiveRun = followNaively(pool, ended.signal);
        await Promise.all(
          Array.from({ length: writers }, async (_, n) => {
            const random = run.random.fork();
            await Promise.all([write(run, pool, n, random), writeNaively(pool, random)]);
          }),
        );
        const head = await run.store.head();
        await waitUntil(
          `subscribers that have all come to ${head}`,
          () => consumers.map((consumer) => consumer.at()),
          (places) => places.every((place) => place === head),
        );
        ended.abort();
        await Promise.all(consumers.map((consumer) => consumer.done));
        const lost = await naiveRun;
        await bystanders.close();
        await second.close();
        await pool.end();
        expect(lost).toBeGreaterThan(0);
        return { appends: writers * appendsEach, consumers: consumers.length, lostByNaive: lost };
      }),
    limitMs,
  );
});

/** Opens transactions that stay open all the time, here and in another database of the server. */
async function openBystanders({ database }: Run, postgres: KillablePostgres) {
  const other = await createEmptyDatabase(postgres);
  const pools = [database.connectionString, other].map((connectionString) =>
    createPool({
      connectionString,
      applicationName: 'bystander',
      max: 1,
      idleInTransactionTimeoutMs: 0,
    }),
  );
  const clients = await Promise.all(pools.map((pool) => pool.connect()));
  for (const client of clients) {
    await client.query('create table if not exists public.bystander (n int)');
    await client.query('begin');
    await client.query('insert into public.bystander values (1)');
  }
  return {
    close: async () => {
      for (const client of clients) {
        await client.query('commit');
        client.release();
      }
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

class RolledBackError extends Error {}

/** Draws positions, waits, and then commits or sometimes rolls back. */
async function write(
  { recorder }: Run,
  pool: Pool,
  n: number,
  random: SeededRandom,
): Promise<void> {
  const stream = streamOf(`c-${n}`);
  const slow: Pick<EventStore, 'append'> = {
    append: async (_stream, events, expected) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const columns = (['eventId', 'type', 'data', 'metadata'] as const).map((name) =>
          events.map((event) => event[name]),
        );
        const { rows } = await client.query<{ position: bigint }>(
          'select throughline.append_events($1, $2, $3::uuid[], $4, $5, $6) as position',
          [stream, expected === 'no-stream' ? 0 : expected, ...columns],
        );
        await delay(random.int(0, holdMs));
        const isDropped = random.chance(0.05);
        await client.query(isDropped ? 'rollback' : 'commit');
        if (isDropped) throw new RolledBackError();
        const version = (expected === 'no-stream' ? 0 : Number(expected)) + events.length;
        // The function returns the position of the last event.
        return { version, position: String(rows[0]?.position) as Position };
      } finally {
        client.release();
      }
    },
  };
  const history = new HistoryWriter(recorded(slow, recorder, `writer-${n}`));
  for (let at = 0; at < appendsEach; at++) {
    const event =
      at === 0 ? did('ContextCreated', {}) : did('StepOutputAdded', { stepId: 's', output: at });
    const append = () =>
      history.append(`c-${n}`, event).then(
        () => true,
        (error: unknown) => {
          if (error instanceof RolledBackError) return false;
          throw error;
        },
      );
    await waitFor('an append that is not rolled back', append);
  }
}

type Subscription = Readonly<{ name: string; batchSize: number; leaveAfter?: number }>;

/** Records the delivered events; a subscriber that stops resumes after its last event. */
function subscribe(
  { recorder }: Run,
  store: EventStore,
  { name, batchSize, leaveAfter = Infinity }: Subscription,
  ended: AbortSignal,
) {
  let at: Position | 'start' = 'start';
  const handle = (session: number, batch: readonly StoredEvent[]) => {
    recorder.add({
      kind: 'delivery',
      subscriber: name,
      session,
      at: recorder.now(),
      events: batch.map(({ position, stream, version, eventId }) => ({
        position,
        stream,
        version,
        eventId,
      })),
    });
    at = batch.at(-1)?.position ?? at;
  };
  const follow = async () => {
    for (let session = 0; !ended.aborted; session++) {
      let stopped = leaveAfter;
      for await (const batch of store.subscribeAll({ after: at, batchSize, signal: ended })) {
        handle(session, batch);
        stopped -= batch.length;
        if (stopped <= 0) break;
      }
    }
  };
  return { at: () => at, done: follow() };
}

async function writeNaively(pool: Pool, random: SeededRandom): Promise<void> {
  for (let at = 0; at < appendsEach; at++) {
    const client = await pool.connect();
    await client.query('begin');
    await client.query('insert into public.naive default values');
    await delay(random.int(0, naiveHoldMs));
    await client.query('commit');
    client.release();
  }
}

/** The number of events that a reader misses if it reads after the last position that it received. */
async function followNaively(pool: Pool, ended: AbortSignal): Promise<number> {
  let last = 0n;
  let seen = 0;
  for (let isLast = false; !isLast;) {
    isLast = ended.aborted;
    const { rows } = await pool.query<{ position: bigint }>(
      'select position from public.naive where position > $1 order by position',
      [last],
    );
    seen += rows.length;
    last = rows.at(-1)?.position ?? last;
    await delay(1);
  }
  const { rows } = await pool.query<{ count: number }>('select count(*)::int from public.naive');
  return (rows[0]?.count ?? 0) - seen;
}
