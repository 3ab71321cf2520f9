import { searched } from '../../parts/disk.mjs';
import { chainOf, loopOf, openOurRuns } from '../our-runs.mjs';

const shortest = 10;
/** The default number of concurrent attempts of an application. */
const usualConcurrency = 8;

/** One step visited repeatedly, or steps that each get the results of all earlier ones. */
export async function openOurs(given, connectionString, { grows }) {
  const { runs: atOnce, crowdSteps, sequentialSteps } = given;
  const definitionOf = grows ? chainOf : loopOf;
  const lengths = [shortest, crowdSteps + 1, sequentialSteps + 1];
  const runs = await openOurRuns(given, connectionString, {
    concurrency: Math.max(atOnce, usualConcurrency),
    steps: lengths.map((length) => definitionOf(length)),
  });
  return {
    shortest,
    run: (steps, visit) => runs.carriedOut(definitionOf(steps).id, steps, visit),
    settle: async () => {
      await runs.settle();
      await searched(connectionString);
    },
    close: () => runs.close(),
  };
}
