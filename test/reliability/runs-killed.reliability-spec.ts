import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { CrashTrials, type Victim } from './harness/runs/crash-trial.js';
import { type CrashWorkflow, crashWorkflows } from './harness/runs/crash-workflows.js';
import { RunScene } from './harness/runs/run-scene.js';
import { runScenario } from './harness/scenario.js';
import { isFull, limitMs } from './harness/size.js';
import { type StreamsKind, kindsAtFullSize } from './harness/streams.js';

const victims: readonly Victim[] = ['server', 'worker'];
/** The victims at the smoke size, and the events and effects of their kills. */
const smoke: readonly (Points & Readonly<{ id: string }>)[] = [
  { id: 'sequence', victim: 'server', events: [4], effects: [] },
  { id: 'sequence', victim: 'worker', events: [], effects: [3] },
  { id: 'approval', victim: 'server', events: [8], effects: [] },
  { id: 'approval', victim: 'worker', events: [], effects: [3] },
];

describe.each(kindsAtFullSize)('R-37 with streams in %s', (kind) => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'kill -9 of the server or the worker at any event of a run loses no run and repeats no effect',
    () =>
      runScenario(
        `R-37 on ${kind}`,
        postgres,
        (run) =>
          // The rows of a killed server are taken over after seconds, for which the smoke size does not wait.
          RunScene.during(run, isFull ? {} : { PROJECTOR: 'external' }, async (scene) => {
            if (!isFull) await run.fleet.startProjector('projector');
            const gate = kind === 'postgres' ? await scene.installGate() : undefined;
            scene.startWorker();
            const trials = new CrashTrials(scene, gate);
            for (const workflow of crashWorkflows)
              for (const { victim, events, effects } of await pointsOf(trials, workflow, kind)) {
                for (const index of events) await trials.killAt(workflow, victim, index);
                for (const nth of effects) await trials.killInEffect(workflow, victim, nth);
              }
            return trials.figures;
          }),
        kind,
      ),
    limitMs,
  );
});

type Points = Readonly<{ victim: Victim; events: readonly number[]; effects: readonly number[] }>;

/** The victims and points of kills in runs of a workflow; the smoke size omits most of them. */
async function pointsOf(
  trials: CrashTrials,
  workflow: CrashWorkflow,
  kind: StreamsKind,
): Promise<readonly Points[]> {
  const chosen = smoke.filter(({ id }) => id === workflow.id);
  if (!isFull && chosen.length === 0) return [];
  const { events, effects } = await trials.undisturbed(workflow);
  // Without a gate for appends, every fifth event is enough.
  const step = kind === 'postgres' ? 1 : 5;
  const all = { events: upTo(events - 1, step), effects: upTo(effects, step) };
  return isFull ? victims.map((victim) => ({ victim, ...all })) : chosen;
}

function upTo(most: number, step: number): number[] {
  return Array.from({ length: Math.floor(most / step) }, (_, at) => (at + 1) * step);
}
