import { availableParallelism } from 'node:os';

import { loadBuild } from '../build.mjs';
import { openServer } from '../database-server.mjs';
import { describeMachine } from '../machine.mjs';
import { loadPayloads } from '../payloads.mjs';
import { readMachineTime, shareOfOthers } from '../processor-time.mjs';
import { measureContenders } from './parts/contenders.mjs';
import { measureLongRun } from './parts/long-run.mjs';
import { measureParallel } from './parts/parallel.mjs';
import { measureRecovery } from './parts/recovery.mjs';
import { report } from './report.mjs';

const full = {
  rounds: 5,
  sequentialSteps: 100,
  crowd: 32,
  crowdSteps: 10,
  turns: 20,
  windowSteps: 15,
  depths: [10, 100, 1_000, 10_000],
  parallelVisits: [1, 10, 100],
  parallelRuns: 1,
  recoveries: 5,
  recoverySteps: 1_000,
};
const short = {
  rounds: 1,
  sequentialSteps: 20,
  crowd: 32,
  crowdSteps: 3,
  turns: 2,
  windowSteps: 5,
  depths: [10, 50, 100, 200],
  parallelVisits: [1, 2],
  parallelRuns: 1,
  recoveries: 1,
  recoverySteps: 50,
};

const parts = {
  contenders: ['side by side', measureContenders],
  recovery: ['recovery', measureRecovery],
  longRun: ['a run of many steps', measureLongRun],
  parallel: ['100 branches at once', measureParallel],
};

/** Runs all parts on one server, and writes the report. */
export async function measureWorkflows({ build: directory, quick, peerFault, say }) {
  const started = performance.now();
  const build = await loadBuild(directory);
  const payloads = await loadPayloads();
  const machine = await describeMachine();
  // Steps are measured by the times of their commits.
  const server = await openServer(build, { track_commit_timestamp: 'on' });
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void server.close().finally(() => process.exit(130)));
  const plan = quick ? short : full;
  const given = { build, server, peerFault, say, outputs: payloads.outputs, ...plan };
  const before = readMachineTime(server.postmaster);
  try {
    const measured = {};
    for (const [name, [title, measure]] of Object.entries(parts)) {
      say(`bench: ${title}, ${new Date().toISOString().slice(11, 19)}`);
      measured[name] = await measure(given);
    }
    const after = readMachineTime(server.postmaster);
    machine.others = shareOfOthers(before, after, availableParallelism());
    const seconds = (performance.now() - started) / 1000;
    await report({ ...measured, machine, server, payloads, peerFault, plan, seconds, quick });
  } finally {
    await server.close();
  }
}
