import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';

import { GrowingContexts } from './harness/histories.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { type Run, runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { waitUntil } from './harness/wait-until.js';

/** The limit of the backlog: writers pause beyond it, so that a slow machine is not overloaded. */
const maxBehind = 500;
const rounds = sized(1, 100);
/** The pause between appends: without it, writers would take the processor from other suites for seconds. */
const pauseMs = sized(50, 0);

describe('R-09', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a paused projector is taken over, and changes nothing after it resumes',
    () =>
      runScenario('R-09', postgres, async (run) => {
        const { fleet, random, database } = run;
        const projectors = await Promise.all(
          [1, 2, 3].map((n) => fleet.startProjector(`projector-${n}`)),
        );
        const contexts = new GrowingContexts(run, 40);
        const everyProjectorOwns = () =>
          waitUntil(
            'partitions with every projector',
            () => owners(run),
            (instances) => instances.size === projectors.length,
          );
        let running = true;
        const growing = (async () => {
          for (let grown = 0; running; grown += 20) {
            await contexts.grow(20, 5);
            await delay(pauseMs);
            await waitUntil(
              `more than ${grown - maxBehind} events applied`,
              async () => (running ? await applied(run) : Infinity),
              (events) => events > grown - maxBehind,
            );
          }
        })();
        for (let round = 0; round < rounds; round++) {
          await everyProjectorOwns();
          const sleeper = random.pick(projectors);
          process.kill(sleeper.pid, 'SIGSTOP');
          await waitUntil(
            'no partition with the projector that sleeps',
            () => owners(run),
            (instances) => !instances.has(sleeper.instance),
          );
          const [, ...others] = await sessionsOf(run);
          // The sessions of the running projectors are lost as well.
          await sql`select pg_terminate_backend(pid) from unnest(${others}::int[]) pid`.execute(
            database.db,
          );
          process.kill(sleeper.pid, 'SIGCONT');
        }
        await everyProjectorOwns();
        running = false;
        await growing;
        return { rounds, projectors: projectors.length };
      }),
    limitMs,
  );
});

/** The projectors that own partitions now. */
async function owners({ database }: Run): Promise<Set<string>> {
  const { rows } = await sql<{ owner: string }>`
    select distinct owner::text from throughline.projection_partitions where owner is not null`.execute(
    database.db,
  );
  return new Set(rows.map(({ owner }) => owner));
}

async function applied({ database }: Run): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    select coalesce(sum(events), 0)::int as events from throughline.projection_partitions`.execute(
    database.db,
  );
  return rows[0]?.events ?? 0;
}

async function sessionsOf({ database }: Run): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and application_name like 'throughline%'`.execute(
    database.db,
  );
  return rows.map(({ pid }) => pid);
}
