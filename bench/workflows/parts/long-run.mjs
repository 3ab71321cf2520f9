import { GatedRun } from '../gated-run.mjs';
import { loopOf, openOurRuns } from '../our-runs.mjs';
import { tookMs, visitTimes } from '../commit-times.mjs';

/** Beyond the last step that is measured, so that no run ends within a window. */
const rest = 2;

/**
 * One step of a run after another, around the depths asked for. Windows of some steps take turns: runs that are already long
 * wait within a step meanwhile.
 */
export async function measureLongRun(given) {
  const { depths, turns, windowSteps, server, say } = given;
  const [near, middle, ...far] = depths;
  const span = turns * (windowSteps + 1);
  const short = loopOf(middle + windowSteps + rest);
  const long = loopOf(depths.at(-1) + span + rest);
  const connectionString = await server.createDatabase('bench_long_run');
  const runs = await openOurRuns(given, connectionString, { concurrency: 8, steps: [short, long] });
  try {
    say(`  to step ${depths.at(-1)}`);
    const deep = await Promise.all(
      far.map(async (depth) => {
        const run = await GatedRun.start(runs, long.id, given.outputs);
        await run.advanceTo(depth - Math.floor(span / 2));
        return { depth, run };
      }),
    );
    await runs.settle();
    const cells = new Map(depths.map((depth) => [depth, []]));
    for (let turn = 0; turn < turns; turn++) {
      if (turn % 10 === 0) say(`  turn ${turn + 1} of ${turns}`);
      const fresh = async () => {
        const run = await GatedRun.start(runs, short.id, given.outputs);
        await run.advanceTo(middle + windowSteps);
        const visits = await visitTimes(connectionString, run.contextId);
        for (const depth of [near, middle])
          cells.get(depth).push(tookMs(around(visits, depth, windowSteps)));
        await run.finish();
      };
      const window =
        ({ depth, run }) =>
        async () => {
          const begin = run.at;
          await run.advanceTo(begin + windowSteps + 1);
          const visits = await visitTimes(connectionString, run.contextId);
          // The first of them has waited for its turn.
          const measured = visits.filter(({ visit }) => visit > begin + 1 && visit <= run.at);
          cells.get(depth).push(tookMs(measured));
        };
      for (const measure of rotated([fresh, ...deep.map(window)], turn)) {
        await measure();
        await runs.settle();
      }
    }
    for (const { run } of deep) await run.finish();
    return cells;
  } finally {
    await runs.close();
  }
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
