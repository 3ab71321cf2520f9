import { tableBytes } from '../../database-server.mjs';
import { readProcessorTime } from '../../processor-time.mjs';
import { contenderNames, openContender } from '../contenders.mjs';
import { StepClock, speedOf } from '../step-clock.mjs';

/**
 * The same work for all contenders, round by round, with a different first contender each time: one run of some steps,
 * and many concurrent runs. The first round is a warm-up and is discarded.
 */
export async function measureContenders(given) {
  const databases = await createDatabases(given);
  const slots = new Map(contenderNames(given).map((name) => [name, []]));
  for (let round = 0; round <= given.rounds; round++) {
    given.say(`  round ${round} of ${given.rounds}${round === 0 ? ' (warm-up)' : ''}`);
    for (const name of rotated([...slots.keys()], round)) {
      const slot = await measureOne(given, name, databases.get(name));
      if (round > 0) slots.get(name).push(slot);
    }
  }
  return slots;
}

/** No other contender is open at the same time, since waiting workers poll. */
async function measureOne(given, name, connectionString) {
  const measure = async (runs, part) => {
    const contender = await openContender({ ...given, runs }, name, connectionString);
    try {
      // Connections, plans and tables exist before the measurement.
      await contender.run(contender.shortest, new StepClock(given.outputs).visit);
      await contender.settle();
      return await part(given, contender, connectionString);
    } finally {
      await contender.close();
    }
  };
  return { ...(await measure(1, runAlone)), crowd: await measure(given.crowd, runCrowd) };
}

/** One more step is started than is measured: a step counts once its successor has begun. */
async function runAlone(given, contender, connectionString) {
  const { sequentialSteps: steps, server, outputs } = given;
  const bytesBefore = await bytesOf(connectionString);
  const before = readProcessorTime(server.postmaster);
  const clock = new StepClock(outputs);
  await contender.run(steps + 1, clock.visit);
  await contender.settle();
  const after = readProcessorTime(server.postmaster);
  const used = (part) => (after[part] - before[part]) / (steps + 1);
  const bytes = ((await bytesOf(connectionString)) - bytesBefore) / (steps + 1);
  return {
    ...{ latencies: clock.latencies, bytes },
    processor: before && after && { node: used('here'), database: used('database') },
  };
}

async function runCrowd({ crowd, crowdSteps, outputs }, contender) {
  const clocks = Array.from({ length: crowd }, () => new StepClock(outputs));
  await Promise.all(clocks.map((clock) => contender.run(crowdSteps + 1, clock.visit)));
  await contender.settle();
  return speedOf(clocks.map(({ times }) => times));
}

async function createDatabases({ server, ...given }) {
  const databases = new Map();
  for (const [n, name] of contenderNames(given).entries())
    databases.set(name, await server.createDatabase(`bench_contender_${n}`));
  return databases;
}

async function bytesOf(connectionString) {
  return (await tableBytes(connectionString)).reduce((sum, { bytes }) => sum + bytes, 0);
}

function rotated(list, by) {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
