import { setTimeout as delay } from 'node:timers/promises';

import { type TcpProxy, openTcpProxy } from '#testing';

import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { CrashTrials } from './harness/runs/crash-trial.js';
import { workflowNamed } from './harness/runs/crash-workflows.js';
import { RunScene } from './harness/runs/run-scene.js';
import { doubtsOf, lostOf } from './harness/runs/run-story.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';

/** Longer than the lease. */
const outageMs = sized(5_000, 30_000);
const leaseMs = 3_000;
const rounds = sized(1, 10);
/** Each attempt in doubt would need an approval. */
const workflow = workflowNamed('retry');

describe('R-42', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'an outage of the database leaves no attempt in doubt that was not in doubt before',
    () =>
      runScenario('R-42', postgres, async (run) => {
        const url = new URL(run.database.connectionString);
        const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
        url.port = String(proxy.port);
        const env = { DATABASE_URL: url.href, THROUGHLINE_RUN_LEASE_MS: String(leaseMs) };
        const figures = await RunScene.during(run, env, async (scene) => {
          scene.startWorker();
          const trials = new CrashTrials(scene, undefined);
          await trials.undisturbed(workflow);
          for (let round = 0; round < rounds; round++) await cutOff(scene, trials, proxy, round);
          return trials.figures;
        });
        await proxy.close();
        return { ...figures, outageMs };
      }),
    limitMs,
  );
});

/** Cuts the connection while the worker executes the last step. */
async function cutOff(
  { client, outside }: RunScene,
  trials: CrashTrials,
  proxy: TcpProxy,
  round: number,
): Promise<void> {
  const contextId = await trials.create(workflow, `outage-${round}`);
  const release = Promise.withResolvers<void>();
  const held = outside.holdAnswer(
    (made) => made.contextId === contextId && made.step.id === 'after',
    release.promise,
  );
  await client.start(contextId, workflow.id);
  const finishing = trials.finish(contextId, workflow);
  await held;
  proxy.blackHole();
  // The scenario is about the duration of the outage: there is no condition to wait for.
  await delay(outageMs);
  proxy.heal();
  release.resolve();
  const { story } = await finishing;
  expect([...lostOf(story), ...doubtsOf(story)]).toEqual([]);
}
