import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { CrashTrials } from './harness/runs/crash-trial.js';
import { type CrashWorkflow, crashWorkflows } from './harness/runs/crash-workflows.js';
import { RunScene } from './harness/runs/run-scene.js';
import { type Run, runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';

const rounds = sized(1, 30);
const workflows = sized<readonly CrashWorkflow[]>(
  crashWorkflows.filter(({ id }) => ['sequence', 'parallel'].includes(id)),
  crashWorkflows,
);
const runsOfEach = sized(2, 4);
const workersOfEach = 2;

describe('R-39', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'workers of two servers compete for the same attempts, with and without database notifications',
    () =>
      runScenario('R-39', postgres, (run) =>
        RunScene.during(run, {}, async (scene) => {
          await scene.startServer();
          const trials = new CrashTrials(scene, undefined);
          for (const { address } of run.fleet.servers)
            for (let n = 0; n < workersOfEach; n++) scene.startWorker(address);
          for (const workflow of workflows) await trials.undisturbed(workflow);
          for (let round = 0; round < rounds; round++) {
            await setNotifications(run, 'sent');
            await Promise.all(many(trials, `sent-${round}`));
            await setNotifications(run, 'lost');
            await Promise.all(many(trials, `lost-${round}`));
          }
          return trials.figures;
        }),
      ),
    limitMs,
  );
});

function many(trials: CrashTrials, name: string): Promise<unknown>[] {
  return workflows.flatMap((workflow) =>
    Array.from({ length: runsOfEach }, (_, n) => trials.complete(workflow, `${name}-${n}`)),
  );
}

/** Sets whether listeners are notified of appends. */
async function setNotifications(
  { database: { pool } }: Run,
  notifications: 'sent' | 'lost',
): Promise<void> {
  const [from, to] = notifications === 'lost' ? ['log', 'nowhere'] : ['nowhere', 'log'];
  const { rows } = await pool.query<{ source: string }>(
    `select pg_get_functiondef(p.oid) as source
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = 'throughline' and p.prosrc like $1`,
    [`%pg_notify('throughline_${from}'%`],
  );
  if (notifications === 'lost') expect(rows).not.toEqual([]);
  for (const { source } of rows)
    await pool.query(source.replaceAll(`'throughline_${from}'`, `'throughline_${to}'`));
}
