import { availableParallelism } from 'node:os';

import { loadBuild } from '../build.mjs';
import { openServer } from '../database-server.mjs';
import { describeMachine } from '../machine.mjs';
import { readMachineTime, shareOfOthers } from '../processor-time.mjs';
import { loadAgentTexts } from './agent-texts.mjs';
import { Databases } from './databases.mjs';
import { measureAsOf } from './parts/as-of.mjs';
import { measureDelay } from './parts/delay.mjs';
import { measureTakeover } from './parts/takeover.mjs';
import { measureTransfer } from './parts/transfer.mjs';
import { measureThroughput } from './parts/throughput.mjs';
import { report } from './report.mjs';

const full = {
  rounds: 3,
  events: 200_000,
  contexts: 2000,
  peerEvents: 10_000,
  appendsPerSecond: 500,
  seconds: 20,
  takeovers: 5,
  histories: [1000, 10_000, 100_000],
  samples: 30,
};
const short = {
  rounds: 1,
  events: 20_000,
  contexts: 200,
  peerEvents: 2000,
  appendsPerSecond: 500,
  seconds: 3,
  takeovers: 1,
  histories: [1000, 10_000],
  samples: 10,
};

const parts = {
  throughput: ['catch-up, rebuild and what they are measured against', measureThroughput],
  delay: ['append to list', measureDelay],
  takeover: ['takeover', measureTakeover],
  asOf: ['reads of the past', measureAsOf],
  transfer: ['verify, export, audit, backup', measureTransfer],
};

/** Runs all parts on one server, and writes the report. */
export async function measureProjections({ build: directory, quick, peerFault, say }) {
  const started = performance.now();
  const build = await loadBuild(directory);
  const texts = await loadAgentTexts();
  const machine = await describeMachine();
  const server = await openServer(build);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void server.close().finally(() => process.exit(130)));
  const given = {
    ...{ build, server, peerFault, say, ...texts, ...(quick ? short : full) },
    databases: new Databases(server),
  };
  const before = readMachineTime(server.postmaster);
  try {
    const measured = {};
    for (const [name, [title, measure]] of Object.entries(parts)) {
      say(`bench: ${title}`);
      measured[name] = await measure(given, measured);
    }
    const after = readMachineTime(server.postmaster);
    machine.others = shareOfOthers(before, after, availableParallelism());
    const seconds = (performance.now() - started) / 1000;
    await report({ ...measured, machine, server, given, seconds, quick });
  } finally {
    await server.close();
  }
}
