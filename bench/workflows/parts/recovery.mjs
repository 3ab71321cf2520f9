import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { openProgram } from '../../projections/child-program.mjs';
import { askOnce } from '../../database-server.mjs';
import { eventTimes } from '../commit-times.mjs';
import { loopOf, openOurRuns } from '../our-runs.mjs';

const program = join(import.meta.dirname, '../programs/functions.mjs');
/** Further steps, one of which the killed process gets. */
const beyond = 100;
/** A process declares an attempt lost only after it has observed the leases for a whole lease, of 30 s. */
const watchMs = 31_000;
const pollMs = 250;

/**
 * Two processes with the same function share a run. One is killed in the middle of a step after this number of steps;
 * the other one, which has been running all the time, repeats the step and continues.
 */
export async function measureRecovery(given) {
  const { server, recoveries, recoverySteps } = given;
  const connectionString = await server.createDatabase('bench_recovery');
  const definition = loopOf(recoverySteps + beyond);
  const setUp = await openOurRuns(given, connectionString, { concurrency: 1, steps: [definition] });
  await setUp.close();
  const survivor = await open(given, connectionString, []);
  const watchedFrom = performance.now() + watchMs;
  try {
    const measured = [];
    for (let n = 0; n < recoveries; n++)
      measured.push(await recoverOnce(given, connectionString, { definition, watchedFrom }));
    return measured;
  } finally {
    await survivor.kill();
  }
}

async function recoverOnce(given, connectionString, { definition, watchedFrom }) {
  const { recoverySteps } = given;
  // It hangs in its first step after these.
  const victim = await open(given, connectionString, [definition.id, String(recoverySteps)]);
  victim.begin();
  await victim.said('hangs');
  const watchesIn = watchedFrom - performance.now();
  if (watchesIn > 0) await wait(watchesIn);
  const killedAt = await databaseTime(connectionString);
  await victim.kill();
  const contextId = await newestContext(connectionString);
  const { lost, claimed, stored } = await untilRecovered(connectionString, contextId);
  // The next killed process must hang in a separate run.
  while ((await eventTimes(connectionString, contextId, ['RunCompleted'])).length === 0)
    await wait(pollMs);
  return {
    steps: stored.data.visit,
    claimMs: stored.at - lost.at,
    attemptMs: stored.at - claimed.at,
    killMs: stored.at - killedAt,
  };
}

/** The data in the events: the attempt is lost, another one starts, and its output exists. */
async function untilRecovered(connectionString, contextId) {
  const types = ['StepAttemptTimedOut', 'StepAttemptStarted', 'StepRouted'];
  // Short polls until then: a long one would affect the measurement.
  while ((await eventTimes(connectionString, contextId, ['StepAttemptTimedOut'])).length === 0)
    await wait(pollMs);
  for (;;) {
    const events = await eventTimes(connectionString, contextId, types);
    const lost = events.find(({ data }) => data.cause === 'lost');
    const after = events.filter(({ version }) => lost && version > lost.version);
    const claimed = after.find(({ type }) => type === 'StepAttemptStarted');
    const stored = after.find(({ type }) => type === 'StepRouted');
    if (stored) return { lost, claimed, stored };
    await wait(pollMs);
  }
}

function open({ build: { directory } }, connectionString, args) {
  return openProgram(program, [directory, connectionString, ...args], {});
}

async function databaseTime(connectionString) {
  const [{ now }] = await askOnce(
    connectionString,
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  );
  return now;
}

async function newestContext(connectionString) {
  const [{ id }] = await askOnce(
    connectionString,
    `select context_id as id from throughline.contexts order by created_at desc limit 1`,
  );
  return id;
}
