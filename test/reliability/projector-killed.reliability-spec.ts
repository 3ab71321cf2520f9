import { GrowingContexts } from './harness/histories.js';
import { releaseLocks, waitForWaiting } from './harness/locks.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { kindsAtFullSize } from './harness/streams.js';

const kills = sized(2, 400);
const eventsEach = 300;
const betweenApplyAndCheckpoint = 4712;
const betweenCheckpointAndCommit = 4713;

describe.each(kindsAtFullSize)('R-08 with streams in %s', (kind) => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a projector killed between rows, checkpoint and commit applies each event once',
    () =>
      runScenario(
        `R-08 on ${kind}`,
        postgres,
        async (run) => {
          const { database, fleet, random } = run;
          const { pool } = database;
          await pool.query(`
          create function throughline.hold() returns trigger language plpgsql as $$
          begin perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint); return null; end $$;
          create trigger hold_checkpoint before update of position on throughline.projection_partitions
          for each statement execute function throughline.hold(${betweenApplyAndCheckpoint});
          create constraint trigger hold_commit after update of position on throughline.projection_partitions
          deferrable initially deferred for each row execute function throughline.hold(${betweenCheckpointAndCommit})`);
          const contexts = new GrowingContexts(run, 20);
          const holder = await pool.connect();
          for (let kill = 0; kill < kills; kill++) {
            const projector = await fleet.startProjector(`projector-${kill}`);
            await holder.query('begin');
            await holder.query('select pg_advisory_xact_lock($1)', [
              random.pick([betweenApplyAndCheckpoint, betweenCheckpointAndCommit]),
            ]);
            await contexts.grow(eventsEach);
            await waitForWaiting(pool);
            await fleet.end(projector, 'SIGKILL');
            await releaseLocks(pool, holder, random.pick(['die', 'go on']));
          }
          holder.release();
          return { kills, appends: kills * eventsEach };
        },
        kind,
      ),
    limitMs,
  );
});
