import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { loadBuild } from '../build.mjs';
import { openServer } from '../database-server.mjs';
import { describeMachine } from '../machine.mjs';
import { readMachineTime, shareOfOthers } from '../processor-time.mjs';
import { loadAgentTexts } from '../projections/agent-texts.mjs';
import { Databases } from '../projections/databases.mjs';
import { bytesOf, loadCorpus } from './corpus.mjs';
import { Counts } from './material.mjs';
import { measureApplication } from './parts/application.mjs';
import { measureCacheHits } from './parts/cache-hits.mjs';
import { measureContent } from './parts/content.mjs';
import { measureLangGraph } from './parts/langgraph.mjs';
import { measureNeed } from './parts/need.mjs';
import { measurePrefixes } from './parts/prefixes.mjs';
import { measureRendering } from './parts/rendering.mjs';
import { Facts } from './recall.mjs';
import { report } from './report.mjs';

const full = {
  ...{ budgets: [1_000, 2_000, 8_000, 50_000], sample: Infinity, prefixSample: 60, pairs: 6 },
  ...{ needSample: 240, runs: 60, versions: 30, runsOfOthers: 8 },
  ...{ steps: [100, 1_000, 10_000], samples: 60, peerSamples: 5, restarts: 5 },
};
const brief = {
  ...{ budgets: [8_000], sample: 24, prefixSample: 12, pairs: 4 },
  ...{ needSample: 12, runs: 12, versions: 12, runsOfOthers: 4 },
  ...{ steps: [100, 1_000], samples: 5, peerSamples: 2, restarts: 1 },
};

/** The budgets of the times, and of the aims. */
const budget = 8_000;

/** Measures all parts in one run and returns the figures for the report. */
export async function measureViews({ build: directory, short, peerFault, say }) {
  const started = performance.now();
  const build = await loadLibraries(directory);
  const { contexts, ...patterns } = await loadCorpus();
  const texts = await loadAgentTexts();
  const machine = await describeMachine();
  const server = await openServer(build);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void server.close().finally(() => process.exit(130)));
  const given = {
    ...{ build, server, peerFault, say, ...texts, ...(short ? brief : full), budget },
    databases: new Databases(server),
  };
  const before = readMachineTime(server.postmaster);
  try {
    const measured = await measureAll(contexts, patterns, given);
    const after = readMachineTime(server.postmaster);
    machine.others = shareOfOthers(before, after, availableParallelism());
    const seconds = (performance.now() - started) / 1000;
    await report({ ...measured, contexts, machine, server, given, seconds, short });
  } finally {
    await server.close();
  }
}

/** Times are measured first, while the memory is empty. */
async function measureAll(contexts, patterns, given) {
  const { say } = given;
  say('bench: rendering');
  const rendering = await measureRendering(given);
  say('bench: views of the application');
  const application = await measureApplication(given);
  say('bench: LangGraph');
  const langgraph = await measureLangGraph(given);
  const content = [];
  for (const size of given.budgets) {
    say(`bench: what views of ${size} tokens keep`);
    content.push(measureBudget(contexts, { ...given, budget: size }, patterns));
  }
  return { rendering, application, langgraph, content };
}

function measureBudget(contexts, given, patterns) {
  const counts = new Counts(given.build.tokenizerOf('o200k_base'));
  const all = { ...given, counts, facts: new Facts(patterns), others: true };
  const large = contexts.filter((context) => bytesOf(context) > given.budget * 2);
  const cells = measureContent(sampleOf(large, given.sample), all);
  const over = cells.map(({ context }) => context);
  return {
    budget: given.budget,
    measured: {
      cells,
      // Their first versions do not exceed the budget.
      prefixes: measurePrefixes(sampleOf(over, given.prefixSample), all),
      need: measureNeed(sampleOf(over, given.needSample), all),
      hits: hitsOf(over, all),
    },
  };
}

/** Views of others take most of the time, so that they are measured for fewer runs. */
function hitsOf(contexts, all) {
  const runs = sampleOf(contexts, all.runs);
  const beside = new Set(sampleOf(runs, all.runsOfOthers));
  return runs.flatMap((context) =>
    measureCacheHits([context], { ...all, others: beside.has(context) }),
  );
}

function sampleOf(list, most) {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, n) => list[Math.floor((n * list.length) / most)]);
}

async function loadLibraries(directory) {
  const entry = (name) => pathToFileURL(join(directory, 'libs', name, 'src/index.js')).href;
  const [views, { ContextState, noActivity }] = await Promise.all([
    import(entry('context-views')),
    import(entry('shared-context')),
  ]);
  return { ...(await loadBuild(directory)), ...views, ContextState, noActivity };
}
