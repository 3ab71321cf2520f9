import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { CrashTrials } from './harness/runs/crash-trial.js';
import { type CrashWorkflow, crashWorkflows } from './harness/runs/crash-workflows.js';
import { RunScene } from './harness/runs/run-scene.js';
import { type RunEvents, doubtsOf, lostOf } from './harness/runs/run-story.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';

const rounds = sized(1, 20);
const workflows = sized<readonly CrashWorkflow[]>(
  crashWorkflows.filter(({ id }) => ['timeout', 'approval'].includes(id)),
  crashWorkflows,
);
const wrongClock = pathToFileURL(join(import.meta.dirname, 'harness/runs/shift-clock.mjs')).href;
/** An hour is far longer than this lease and any run, even on a busy machine. */
const leaseMs = 10_000;
const maxRunMs = 30 * 60_000;
const env = {
  NODE_OPTIONS: `--import=${wrongClock}`,
  THROUGHLINE_RUN_LEASE_MS: String(leaseMs),
};

describe('R-40', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'servers whose clocks jump by an hour lose no attempt and end none before its time',
    () =>
      runScenario('R-40', postgres, (run) =>
        RunScene.during(run, env, async (scene) => {
          await scene.startServer({ CLOCK_BEHIND: '1' });
          for (const { address } of run.fleet.servers) scene.startWorker(address);
          const trials = new CrashTrials(scene, undefined);
          for (const workflow of workflows)
            expectSteadyTime((await trials.undisturbed(workflow)).story);
          for (const name of Array.from({ length: rounds }, (_, round) => `jump-${round}`))
            for (const workflow of workflows) {
              const contextId = await trials.begin(workflow, name);
              run.fleet.servers.forEach(({ pid }) => process.kill(pid, 'SIGUSR2'));
              const { story } = await trials.finish(contextId, workflow);
              expectSteadyTime(story);
              expect([...lostOf(story), ...doubtsOf(story)]).toEqual([]);
            }
          return trials.figures;
        }),
      ),
    limitMs,
  );
});

/** The times of events never go back, and differ less than the wrong clocks of the servers. */
function expectSteadyTime(story: RunEvents): void {
  for (const { recordedAt, data } of story)
    if ('at' in data)
      expect(Math.abs(Date.parse(recordedAt) - Date.parse(data.at))).toBeGreaterThan(maxRunMs);
  const times = story.flatMap(({ data }) => ('at' in data ? [Date.parse(data.at)] : []));
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  expect((times.at(-1) ?? Infinity) - (times[0] ?? 0)).toBeLessThan(maxRunMs);
}
