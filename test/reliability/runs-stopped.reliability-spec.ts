import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { CommitGate } from './harness/runs/commit-gate.js';
import { CrashTrials } from './harness/runs/crash-trial.js';
import { workflowNamed } from './harness/runs/crash-workflows.js';
import { RunScene } from './harness/runs/run-scene.js';
import { lostOf, readStory } from './harness/runs/run-story.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { waitUntil } from './harness/wait-until.js';

const rounds = sized(1, 25);
/** Its first step is keyed. */
const workflow = workflowNamed('condition');
/** The context is created, the run started, its first step scheduled. */
const scheduledVersion = 3;

describe('R-38', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a server that sleeps past the lease of its claim wakes, and changes nothing',
    () =>
      runScenario('R-38', postgres, async (run) => {
        const gate = await CommitGate.install(run.database.pool);
        const scene = await RunScene.open(run);
        try {
          const awake = run.fleet.servers[0]?.address;
          // Rows are kept by the server that stays awake.
          const sleeper = await scene.startServer({ PROJECTOR: 'external' });
          scene.target = awake;
          const trials = new CrashTrials(scene, gate);
          scene.startWorker(awake);
          await trials.undisturbed(workflow);
          for (let round = 0; round < rounds; round++)
            for (const point of ['claimed', 'started'] as const) {
              await scene.killWorkers();
              const contextId = await trials.create(workflow, `${point}-${round}`);
              if (point === 'claimed') await gate.closeForClaims();
              else await gate.close(contextId, scheduledVersion);
              scene.startWorker(sleeper.address, 1);
              await scene.client.start(contextId, workflow.id);
              await waitUntil('a claim on its way', () => gate.isReached());
              process.kill(sleeper.pid, 'SIGSTOP');
              await gate.open('go on');
              const other = scene.startWorker(awake);
              const { story } = await trials.finish(contextId, workflow);
              // Whoever asked the sleeper never heard of the first attempt.
              const lost = lostOf(story).map(({ data: { path, attempt } }) => [path, attempt]);
              if (point === 'started') expect(lost).toContainEqual(['look#1', 1]);
              process.kill(sleeper.pid, 'SIGCONT');
              // Whoever asked the sleeper carries this one out, behind whatever it does about the other.
              await scene.killWorker(other);
              await trials.complete(workflow, `behind-${point}-${round}`);
              expect(await readStory(run.store, contextId)).toEqual(story);
            }
          return trials.figures;
        } finally {
          await scene.close();
          gate.release();
        }
      }),
    limitMs,
  );
});
