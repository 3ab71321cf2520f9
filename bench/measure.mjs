import { availableParallelism } from 'node:os';

import { loadBuild } from './build.mjs';
import { openServer } from './database-server.mjs';
import { describeMachine } from './machine.mjs';
import { loadPayloads } from './payloads.mjs';
import { measureAppends } from './parts/appends.mjs';
import { measureAudiences } from './parts/audiences.mjs';
import { measureCommands } from './parts/commands.mjs';
import { measureDisk } from './parts/disk.mjs';
import { measureHistory } from './parts/history.mjs';
import { measureHttp } from './parts/http.mjs';
import { measureOverview } from './parts/overview.mjs';
import { measureRewrites } from './parts/rewrites.mjs';
import { readMachineTime, shareOfOthers } from './processor-time.mjs';
import { report } from './report.mjs';

const full = {
  rounds: 5,
  milliseconds: 1000,
  rewriteRounds: 3,
  samples: 300,
  contexts: 50,
  long: 10_000,
  commandSamples: 25,
  overviewContexts: 10_000,
  overviewSamples: 100,
  audienceSamples: 60,
};
const short = {
  rounds: 1,
  milliseconds: 300,
  rewriteRounds: 1,
  samples: 40,
  contexts: 10,
  long: 10_000,
  commandSamples: 5,
  overviewContexts: 1_000,
  overviewSamples: 20,
  audienceSamples: 10,
};

/** Runs all parts on one server, and writes the report. */
export async function measureAll({ build: directory, quick, peerFault, say }) {
  const started = performance.now();
  const build = await loadBuild(directory);
  const payloads = await loadPayloads();
  const machine = await describeMachine();
  const server = await openServer(build);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void server.close().finally(() => process.exit(130)));
  const given = {
    build,
    server,
    outputs: payloads.outputs,
    peerFault,
    say,
    ...(quick ? short : full),
  };
  const before = readMachineTime(server.postmaster);
  try {
    const measured = {
      appends: await announced('appends', measureAppends, given),
      rewrites: await announced('the rewritten column', measureRewrites, given),
      http: await announced('HTTP', measureHttp, given),
      history: await announced('long contexts', measureHistory, given),
      commands: await announced('every kind of command', measureCommands, given),
      overview: await announced('lists, inbox and search', measureOverview, given),
      audiences: await announced('audiences', measureAudiences, given),
      disk: await announced('disk', measureDisk, given),
    };
    const seconds = (performance.now() - started) / 1000;
    const after = readMachineTime(server.postmaster);
    machine.others = shareOfOthers(before, after, availableParallelism());
    await report({
      ...measured,
      machine,
      server,
      payloads,
      peerFault,
      seconds,
      quick,
      plan: given,
    });
  } finally {
    await server.close();
  }
}

async function announced(title, measure, given) {
  given.say(`bench: ${title}`);
  return measure(given);
}
