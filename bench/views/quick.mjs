import { join } from 'node:path';

import { bytesOf, loadCorpus } from './corpus.mjs';
import { figureLines, kindLines, percent } from './figure-tables.mjs';
import { figuresOf } from './figures.mjs';
import { Counts } from './material.mjs';
import { measureCacheHits } from './parts/cache-hits.mjs';
import { measureContent } from './parts/content.mjs';
import { measureNeed } from './parts/need.mjs';
import { measurePrefixes } from './parts/prefixes.mjs';
import { Facts } from './recall.mjs';
import { ours, strategyNames } from './strategies.mjs';

const libs = join(import.meta.dirname, '../../libs');
const longest = 800_000;

/** The recall of views of a sample of real contexts, with the current sources: for the development of views. */
export async function tune(argv) {
  const option = (name, usual) =>
    argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual;
  const views = await import(join(libs, 'context-views/src/index.ts'));
  const { ContextState } = await import(join(libs, 'shared-context/src/index.ts'));
  const { contexts, ...patterns } = await loadCorpus();
  const given = {
    build: { ...views, ContextState },
    counts: new Counts(views.tokenizerOf('o200k_base')),
    facts: new Facts(patterns),
    pairs: Number(option('pairs', 8)),
    versions: Number(option('versions', 12)),
    others: argv.includes('--all-prefixes'),
  };
  const only = option('only', '');
  const size = only ? Infinity : Number(option('sample', 14));
  // Views are designed on one half of the contexts only.
  const halves = argv.includes('--seen') ? ['seen'] : ['seen', 'held out'];
  for (const budget of option('budgets', '2000,8000').split(',').map(Number))
    for (const half of halves) {
      const chosen = contexts.filter(
        (context) =>
          context.half === half &&
          context.name.includes(only) &&
          bytesOf(context) > budget * 3.5 &&
          bytesOf(context) < longest,
      );
      showHalf(sampleOf(chosen, size), { ...given, budget, half }, argv.includes('--each'));
    }
}

function sampleOf(contexts, size) {
  const step = Math.max(1, Math.floor(contexts.length / size));
  return contexts.filter((_, at) => at % step === 0);
}

function showHalf(sample, given, isEach) {
  const timed = timer();
  const measured = {
    cells: timed(() => measureContent(sample, given)),
    prefixes: given.pairs > 0 ? timed(() => measurePrefixes(sample, given)) : [],
    need: timed(() => measureNeed(sample, given)),
    hits: timed(() => measureCacheHits(sample, given)),
  };
  const { cells, prefixes } = measured;
  const refused = cells.filter((each) => each.refused).length;
  const pairs = prefixes.reduce((sum, each) => sum + each.pairs.length, 0);
  const figures = figuresOf(measured);
  const lines = [
    `${given.budget} tokens, ${given.half}: ${cells.length - refused} contexts over it, ${refused} refused, ${figures.places} places of need, ${pairs} pairs of versions; ${timed.took.join(' + ')} ms`,
    ...[...figureLines(figures), '', ...kindLines(measured), ''],
    ...[hitsLine(figures), labelsLine(figures), inventedLine(figures, cells)],
    ...(isEach ? cells.map(eachLine) : []),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
}

function timer() {
  const took = [];
  const timed = (run) => {
    const started = performance.now();
    const made = run();
    took.push(Math.round(performance.now() - started));
    return made;
  };
  return Object.assign(timed, { took });
}

function hitsLine({ by }) {
  const { runs, views, mean, p10, old } = by[ours].hits;
  return `cache hits over ${runs} runs, ${views} views: ${percent(mean)}, a tenth of the runs at most ${percent(p10)}; old bytes ${percent(old)}`;
}

function labelsLine({ labels }) {
  return `facts of shortened outputs with a label: ${labels.told} of ${labels.of}, ${percent(labels.share)}`;
}

function inventedLine({ invented }, cells) {
  const found = cells.flatMap((cell) => cell.invented?.found ?? []);
  const some = [...new Set(found)].slice(0, 8).map((fact) => JSON.stringify(fact));
  return `invented facts: ${invented.told} of ${invented.of}${some.length > 0 ? `: ${some.join(', ')}` : ''}`;
}

function eachLine({ context, times, strategies, labels, invented }) {
  if (!strategies) return `${context.name}: refused`;
  const recalls = strategyNames.map((name) => {
    const { told, of } = strategies[name].recall.behind;
    return percent(told / of);
  });
  const { recall, used } = strategies[ours];
  const untrue = invented.found.map((fact) => JSON.stringify(fact)).join(', ');
  return `${context.name}: ${times.toFixed(1)} times, ${recalls.join(', ')} of ${recall.behind.of}; used ${percent(used)}; labels ${percent(labels.told / labels.of)}; invented ${untrue || 'none'}`;
}
