import { searched } from '../../parts/disk.mjs';
import { chainOf, loopOf, openOurRuns } from '../our-runs.mjs';

const shortest = 10;

/** One step visited again and again, or steps of which each is given the results of all before. */
export async function openOurs(given, connectionString, { grows }) {
  const { crowd, crowdSteps, sequentialSteps } = given;
  const definitionOf = grows ? chainOf : loopOf;
  const lengths = [shortest, crowdSteps + 1, sequentialSteps + 1];
  const runs = await openOurRuns(given, connectionString, {
    concurrency: crowd,
    steps: lengths.map((length) => definitionOf(length)),
  });
  return {
    shortest,
    run: async (steps, visit) =>
      runs.ended(await runs.start(definitionOf(steps).id, () => visit())),
    settle: async () => {
      await runs.settle();
      await searched(connectionString);
    },
    close: () => runs.close(),
  };
}
