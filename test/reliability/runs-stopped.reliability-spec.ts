import { type ServerProcess } from '../e2e/server-process.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { type CommitGate } from './harness/runs/commit-gate.js';
import { CrashTrials } from './harness/runs/crash-trial.js';
import { workflowNamed } from './harness/runs/crash-workflows.js';
import { RunScene } from './harness/runs/run-scene.js';
import { lostOf, readStory } from './harness/runs/run-story.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { waitUntil } from './harness/wait-until.js';

const rounds = sized(1, 25);
const points = ['claimed', 'started'] as const;
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
      runScenario('R-38', postgres, (run) =>
        RunScene.during(run, {}, async (scene) => {
          const pair = await Pair.open(scene);
          await pair.trials.undisturbed(workflow);
          for (let round = 0; round < rounds; round++)
            for (const point of points) await pair.sleep(point, `${point}-${round}`);
          return pair.trials.figures;
        }),
      ),
    limitMs,
  );
});

/** A server that sleeps, and one that stays awake, keeps the rows, and answers whoever starts runs. */
class Pair {
  private constructor(
    private readonly scene: RunScene,
    private readonly gate: CommitGate,
    private readonly sleeper: ServerProcess,
    readonly trials: CrashTrials,
  ) {}

  static async open(scene: RunScene): Promise<Pair> {
    const gate = await scene.installGate();
    const [awake] = scene.run.fleet.servers;
    scene.target = awake?.address;
    const sleeper = await scene.startServer({ PROJECTOR: 'external' });
    scene.startWorker(scene.target);
    return new Pair(scene, gate, sleeper, new CrashTrials(scene, gate));
  }

  /** Falls asleep with an attempt claimed or started, and wakes once another worker has carried out the run. */
  async sleep(point: (typeof points)[number], name: string): Promise<void> {
    const { scene, gate, sleeper, trials } = this;
    await scene.killWorkers();
    const contextId = await trials.create(workflow, name);
    if (point === 'claimed') await gate.closeForClaims();
    else await gate.close(contextId, scheduledVersion);
    scene.startWorker(sleeper.address, 1);
    await scene.client.start(contextId, workflow.id);
    await waitUntil('a claim on its way', () => gate.isReached());
    process.kill(sleeper.pid, 'SIGSTOP');
    await gate.open('go on');
    const other = scene.startWorker(scene.target);
    const { story } = await trials.finish(contextId, workflow);
    const lost = lostOf(story).map(({ data: { path, attempt } }) => [path, attempt]);
    // Whoever asked the sleeper never heard of the first attempt.
    if (point === 'started') expect(lost).toContainEqual(['look#1', 1]);
    process.kill(sleeper.pid, 'SIGCONT');
    // Whoever asked the sleeper carries this one out, behind whatever it does about the other.
    await scene.killWorker(other);
    await trials.complete(workflow, `behind-${name}`);
    expect(await readStory(scene.run.store, contextId)).toEqual(story);
  }
}
