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
/** The recovery of its first step is keyed. */
const workflow = workflowNamed('condition');
/** Creation of the context, start of the run, scheduling of its first step. */
const scheduledVersion = 3;

describe('R-38', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a server that is paused beyond the lease of its claim resumes, and changes nothing',
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

/** A server that is paused, and one that keeps running, projects the rows, and serves clients. */
class Pair {
  private constructor(
    private readonly scene: RunScene,
    private readonly gate: CommitGate,
    private readonly paused: ServerProcess,
    readonly trials: CrashTrials,
  ) {}

  static async open(scene: RunScene): Promise<Pair> {
    const gate = await scene.installGate();
    const [active] = scene.run.fleet.servers;
    scene.target = active?.address;
    const paused = await scene.startServer({ PROJECTOR: 'external' });
    scene.startWorker(scene.target);
    return new Pair(scene, gate, paused, new CrashTrials(scene, gate));
  }

  /**
   * Pauses the server with an attempt claimed or started, and resumes it after another worker has completed the run.
   */
  async sleep(point: (typeof points)[number], name: string): Promise<void> {
    const { scene, gate, paused: paused, trials } = this;
    await scene.killWorkers();
    const contextId = await trials.create(workflow, name);
    if (point === 'claimed') await gate.closeForClaims();
    else await gate.close(contextId, scheduledVersion);
    scene.startWorker(paused.address, 1);
    await scene.client.start(contextId, workflow.id);
    await waitUntil('a claim on its way', () => gate.isReached());
    process.kill(paused.pid, 'SIGSTOP');
    await gate.open('go on');
    const other = scene.startWorker(scene.target);
    const { story } = await trials.finish(contextId, workflow);
    const lost = lostOf(story).map(({ data: { path, attempt } }) => [path, attempt]);
    // The client of the paused server never received the first attempt.
    if (point === 'started') expect(lost).toContainEqual(['look#1', 1]);
    process.kill(paused.pid, 'SIGCONT');
    // The client of the paused server executes this attempt after the server has handled the other one.
    await scene.killWorker(other);
    await trials.complete(workflow, `behind-${name}`);
    expect(await readStory(scene.run.store, contextId)).toEqual(story);
  }
}
