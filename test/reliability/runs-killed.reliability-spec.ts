import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { CommitGate } from './harness/runs/commit-gate.js';
import { CrashTrials, type Victim } from './harness/runs/crash-trial.js';
import { crashWorkflows } from './harness/runs/crash-workflows.js';
import { RunScene } from './harness/runs/run-scene.js';
import { runScenario } from './harness/scenario.js';
import { isFull, limitMs } from './harness/size.js';
import { kindsAtFullSize } from './harness/streams.js';

const victims: readonly Victim[] = ['server', 'worker'];
/** What the smoke size kills, and when: workflow, and indices of events and of effects by victim. */
const smoke = [
  { id: 'sequence', server: { events: [4], effects: [] }, worker: { events: [], effects: [3] } },
  { id: 'approval', server: { events: [8], effects: [] }, worker: { events: [], effects: [3] } },
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
        async (run) => {
          const gate =
            kind === 'postgres' ? await CommitGate.install(run.database.pool) : undefined;
          // The rows that a killed server keeps are taken over after seconds, for which the smoke size does not wait.
          const scene = await RunScene.open(run, isFull ? {} : { PROJECTOR: 'external' });
          if (!isFull) await run.fleet.startProjector('projector');
          try {
            scene.startWorker();
            const trials = new CrashTrials(scene, gate);
            for (const workflow of crashWorkflows) {
              const chosen = smoke.find(({ id }) => id === workflow.id);
              if (!isFull && !chosen) continue;
              const { events, effects } = await trials.undisturbed(workflow);
              // Elsewhere nothing holds the append behind an event: every fifth is enough.
              const step = kind === 'postgres' ? 1 : 5;
              for (const victim of victims) {
                const all = { events: upTo(events - 1, step), effects: upTo(effects, step) };
                const points = isFull ? all : (chosen?.[victim] ?? all);
                for (const index of points.events) await trials.killAt(workflow, victim, index);
                for (const nth of points.effects) await trials.killInEffect(workflow, victim, nth);
              }
            }
            return trials.figures;
          } finally {
            await scene.close();
            gate?.release();
          }
        },
        kind,
      ),
    limitMs,
  );
});

function upTo(most: number, step: number): number[] {
  return Array.from({ length: Math.floor(most / step) }, (_, at) => (at + 1) * step);
}
