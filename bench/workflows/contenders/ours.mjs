import { searched } from '../../parts/disk.mjs';
import { chainOf, loopOf, openOurRuns } from '../our-runs.mjs';

const shortest = 10;
/** How many attempts run at once unless an application says otherwise. */
const usualConcurrency = 8;

/** One step visited again and again, or steps of which each is given the results of all before. */
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
