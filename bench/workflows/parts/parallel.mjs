import { tookMs, visitTimes } from '../commit-times.mjs';
import { fanOf, openOurRuns } from '../our-runs.mjs';

export const branches = 100;
/** The number of measured visits of the parallel step around the given one. */
const around = 5;

/** A parallel step of 100 branches, which are scheduled together, visited repeatedly in one run. */
export async function measureParallel({ parallelVisits, parallelRuns, server, outputs, ...given }) {
  const connectionString = await server.createDatabase('bench_parallel');
  const [first, ...later] = parallelVisits;
  const [short, long] = [fanOf(branches, first), fanOf(branches, parallelVisits.at(-1))];
  const runs = await openOurRuns(given, connectionString, {
    concurrency: 8,
    steps: [short, long],
  });
  const carryOut = async (id, times) => {
    let n = 0;
    const visit = () => outputs[n++ % outputs.length].output;
    const contextId = await runs.carriedOut(id, times * branches, visit);
    await runs.settle();
    const visits = await visitTimes(connectionString, contextId);
    return Map.groupBy(
      visits.filter(({ stepId }) => stepId.startsWith('work-')),
      ({ visit }) => visit,
    );
  };
  try {
    const cells = new Map(parallelVisits.map((visit) => [visit, []]));
    await carryOut(short.id, first);
    for (let n = 0; n < parallelRuns; n++)
      cells.get(first).push(summaryOf((await carryOut(short.id, first)).get(first)));
    const byVisit = await carryOut(long.id, parallelVisits.at(-1));
    for (const visit of later)
      for (let n = visit - around + 1; n <= visit; n++)
        if (n > first) cells.get(visit).push(summaryOf(byVisit.get(n)));
    return cells;
  } finally {
    await runs.close();
  }
}

/** `perStep`: the milliseconds per branch, from scheduling all branches to completing the last one. */
function summaryOf(visits) {
  if (visits.length !== branches) throw new Error(`${visits.length} of ${branches} branches ended`);
  const start = Math.min(...visits.map(({ scheduled }) => scheduled));
  const end = Math.max(...visits.map(({ completed }) => completed));
  return { latencies: tookMs(visits), perStep: (end - start) / branches };
}
