import { sql } from 'kysely';

import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { type Run, runScenario } from './harness/scenario.js';
import { isFull, limitMs, sized } from './harness/size.js';
import { waitUntil } from './harness/wait-until.js';
import { Writing } from './harness/writing.js';

const wholeKills = sized(2, 20);
const sessionKills = sized(4, 40);
const appends = sized(600, 20_000);
/** The limit for the first acknowledgment on an idle machine; on other machines it is only reported. */
const firstAnswerMs = 5_000;

describe('R-02', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'kill -9 of PostgreSQL, of the whole server or one session, loses nothing and ends no Throughline server',
    () =>
      runScenario('R-02', postgres, async (run) => {
        const { fleet, client, random } = run;
        await Promise.all([fleet.start('api-1'), fleet.start('api-2')]);
        const contexts = Array.from({ length: 10 }, (_, n) => `c-${n}`);
        const clients = Array.from({ length: 12 }, (_, n) =>
          client(`writer-${n}`, () => fleet.addresses()[n % 2] ?? ''),
        );
        await Promise.all(contexts.map((id, n) => clients[n]?.create(id)));
        const writing = new Writing(clients, contexts, appends);
        const faults = shuffled(random, [
          ...Array.from({ length: wholeKills }, () => 'whole' as const),
          ...Array.from({ length: sessionKills }, () => 'session' as const),
        ]);
        let slowestMs = 0;
        for (const [n, fault] of faults.entries()) {
          await writing.reached((n + random.next()) / (faults.length + 1));
          if (fault === 'whole') await postgres.killAll();
          else await killSession(run);
          const ready = performance.now();
          await writing.more(1);
          slowestMs = Math.max(slowestMs, Math.round(performance.now() - ready));
        }
        await writing.finished();
        if (isFull) expect(slowestMs).toBeLessThan(firstAnswerMs);
        return { wholeKills, sessionKills, appends, slowestMs };
      }),
    limitMs,
  );
});

/** Kills a session that is active for a server; PostgreSQL then terminates all others and recovers. */
async function killSession({ database }: Run): Promise<void> {
  const find = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and application_name like 'throughline%' and state <> 'idle' limit 1`.execute(
      database.db,
    );
    return rows[0]?.pid;
  };
  const pid = await waitUntil('a session of a server that is at work', () =>
    // PostgreSQL may still be recovering from the previous fault.
    find().catch(() => undefined),
  );
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // The session has ended in the meantime; another fault follows.
  }
}

function shuffled<Item>(random: Run['random'], items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}
