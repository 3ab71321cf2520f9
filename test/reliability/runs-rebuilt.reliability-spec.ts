import { randomUUID } from 'node:crypto';

import { findProgress, sharedContextProjection, startRebuild } from '#read-models';

import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { CrashTrials } from './harness/runs/crash-trial.js';
import { type CrashWorkflow, crashWorkflows } from './harness/runs/crash-workflows.js';
import { RunScene } from './harness/runs/run-scene.js';
import { type Run, runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { waitUntil } from './harness/wait-until.js';

const rounds = sized(1, 20);
const workflows = sized<readonly CrashWorkflow[]>(
  crashWorkflows.filter(({ id }) => ['sequence', 'approval', 'timeout'].includes(id)),
  crashWorkflows,
);
/** A lost claim is not a lost attempt as long as its worker sends heartbeats. */
const leaseMs = 10_000;

describe('R-41', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'runs continue while the rows of their waiting work are dropped and rebuilt',
    () =>
      runScenario('R-41', postgres, (run) =>
        RunScene.during(run, { THROUGHLINE_RUN_LEASE_MS: `${leaseMs}` }, async (scene) => {
          const trials = new CrashTrials(scene, undefined);
          scene.startWorker();
          for (const workflow of workflows) await trials.undisturbed(workflow);
          for (let round = 0; round < rounds; round++) {
            // Notifications are off: workers find work through rows only.
            await scene.killWorkers();
            const started = await Promise.all(
              workflows.map(async (workflow) => ({
                workflow,
                contextId: await trials.begin(workflow, `rebuilt-${round}`),
              })),
            );
            await waitUntil(
              'rows of all runs',
              () => countWaiting(run),
              (rows) => rows >= started.length,
            );
            await dropRows(run);
            scene.startWorker();
            const calls = scene.outside.calls.length;
            await Promise.all([
              rebuild(run),
              waitUntil('a call of a worker', () => scene.outside.calls.length > calls),
            ]);
            // A second time, during the runs.
            await dropRows(run);
            await rebuild(run);
            await Promise.all(
              started.map(({ contextId, workflow }) => trials.finish(contextId, workflow)),
            );
          }
          return trials.figures;
        }),
      ),
    limitMs,
  );
});

/** Drops both tables through which workers find work. */
async function dropRows({ database: { pool } }: Run): Promise<void> {
  await pool.query('delete from throughline.open_work');
  await pool.query('delete from throughline.run_claims');
}

async function countWaiting({ database: { pool } }: Run): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(distinct context_id)::int as count from throughline.open_work where kind = 'run-step'`,
  );
  return rows[0]?.count ?? 0;
}

async function rebuild({ database: { db } }: Run): Promise<void> {
  const { jobId } = await startRebuild(db, randomUUID(), {
    projection: sharedContextProjection,
    verify: 'sample',
    requestedBy: 'admin',
  });
  const job = await waitUntil(
    'the end of a rebuild',
    () => findProgress(db, jobId),
    (found) => /^(switched|failed|cancelled)$/.test(found?.state ?? ''),
  );
  expect(job).toMatchObject({ state: 'switched' });
}
