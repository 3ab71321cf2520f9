import { GatedRun } from '../gated-run.mjs';
import { loopOf, openOurRuns } from '../our-runs.mjs';
import { tookMs, visitTimes } from '../commit-times.mjs';

/** Steps after the last measured one, so that no run ends within a window. */
const rest = 2;

/**
 * One step at a time, around the given depths. Windows of some steps take turns: longer runs wait within a step in the
 * meantime.
 */
export async function measureLongRun(given) {
  const { depths, turns, windowSteps, server, outputs } = given;
  const [near, middle, ...far] = depths;
  const span = turns * (windowSteps + 1);
  const short = loopOf(middle + windowSteps + rest);
  const long = loopOf(depths.at(-1) + span + rest);
  const connectionString = await server.createDatabase('bench_long_run');
  const runs = await openOurRuns(given, connectionString, { concurrency: 8, steps: [short, long] });
  try {
    given.say(`  to step ${depths.at(-1)}`);
    const start = async (depth) => {
      const run = await GatedRun.start(runs, long.id, outputs);
      await run.advanceTo(depth - Math.floor(span / 2));
      return { depth, run, windows: [] };
    };
    const deep = await Promise.all(far.map(start));
    const fresh = [];
    const measureFresh = async () => {
      const run = await GatedRun.start(runs, short.id, outputs);
      await run.advanceTo(middle + windowSteps);
      await run.finish();
      fresh.push(run);
    };
    const measureDeep = deep.map(({ run, windows }) => async () => {
      windows.push(run.at);
      await run.advanceTo(run.at + windowSteps + 1);
    });
    for (let turn = 0; turn < turns; turn++) {
      if (turn % 10 === 0) given.say(`  turn ${turn + 1} of ${turns}`);
      for (const measure of rotated([measureFresh, ...measureDeep], turn)) {
        await runs.settle();
        await measure();
      }
    }
    for (const { run } of deep) await run.cancel();
    return await cellsOf(connectionString, { near, middle, windowSteps, fresh, deep });
  } finally {
    await runs.close();
  }
}

/** The times of the steps of each turn, by depth. */
async function cellsOf(connectionString, { near, middle, windowSteps, fresh, deep }) {
  const cells = new Map([near, middle].map((depth) => [depth, []]));
  for (const { contextId } of fresh) {
    const visits = await visitTimes(connectionString, contextId);
    for (const [depth, turns] of cells) turns.push(tookMs(around(visits, depth, windowSteps)));
  }
  for (const { depth, run, windows } of deep) {
    const visits = await visitTimes(connectionString, run.contextId);
    // The first step of a window has waited for its turn.
    const within =
      (start) =>
      ({ stepId, visit }) =>
        stepId === 'work' && visit > start + 1 && visit <= start + 1 + windowSteps;
    cells.set(
      depth,
      windows.map((start) => tookMs(visits.filter(within(start)))),
    );
  }
  return cells;
}

function around(visits, depth, steps) {
  const first = Math.max(2, depth - Math.floor(steps / 2));
  return visits.filter(
    ({ stepId, visit }) => stepId === 'work' && visit >= first && visit < first + steps,
  );
}

function rotated(list, by) {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
