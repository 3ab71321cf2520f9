import { availableParallelism } from 'node:os';

import { loadBuild } from '../build.mjs';
import { openServer } from '../database-server.mjs';
import { describeMachine } from '../machine.mjs';
import { loadPayloads } from '../payloads.mjs';
import { readMachineTime, shareOfOthers } from '../processor-time.mjs';
import { loadAgentTexts } from '../projections/agent-texts.mjs';
import { measureAppends } from './parts/appends.mjs';
import { measureReads } from './parts/reads.mjs';
import { measureServers } from './parts/servers.mjs';
import { measureSizes } from './parts/sizes.mjs';
import { report } from './report.mjs';

const full = {
  rounds: 5,
  milliseconds: 1000,
  logEvents: 20_000,
  samples: 200,
  events: 100_000,
  contexts: 1000,
};
const short = {
  rounds: 1,
  milliseconds: 300,
  logEvents: 3000,
  samples: 20,
  events: 10_000,
  contexts: 100,
};

const parts = {
  appends: ['appends', measureAppends],
  reads: ['reads', measureReads],
  sizes: ['sizes on disk', measureSizes],
  servers: ['one server and several', measureServers],
};

/** Measures all parts in one run and returns the figures for the report. */
export async function measureStores({ build: directory, quick, say }) {
  const started = performance.now();
  const build = await loadBuild(directory);
  const payloads = await loadPayloads();
  const machine = await describeMachine();
  const server = await openServer(build);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void server.close().finally(() => process.exit(130)));
  const given = {
    ...{ build, server, say, outputs: payloads.outputs, serverUrl: process.env.EVENTSTORE_URL },
    ...(await loadAgentTexts()),
    ...(quick ? short : full),
  };
  const before = readMachineTime(server.postmaster);
  try {
    const measured = {};
    for (const [name, [title, measure]] of Object.entries(parts)) {
      say(`bench: ${title}`);
      measured[name] = await measure(given);
    }
    const after = readMachineTime(server.postmaster);
    machine.others = shareOfOthers(before, after, availableParallelism());
    const seconds = (performance.now() - started) / 1000;
    await report({ ...measured, machine, server, given, payloads, seconds, quick });
  } finally {
    await server.close();
  }
}
