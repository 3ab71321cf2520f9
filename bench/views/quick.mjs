import { join } from 'node:path';

import { bytesOf, loadCorpus } from './corpus.mjs';
import { figureLines, figuresOf, percent } from './figures.mjs';
import { Counts } from './material.mjs';
import { measureContent } from './parts/content.mjs';
import { measureNeed } from './parts/need.mjs';
import { measurePrefixes } from './parts/prefixes.mjs';
import { Facts } from './recall.mjs';
import { strategyNames } from './strategies.mjs';

const libs = join(import.meta.dirname, '../../libs');
const longest = 800_000;

/** What views of a sample of real contexts keep, of the sources as they stand: for whoever works on them. */
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
    others: argv.includes('--all-prefixes'),
  };
  const only = option('only', '');
  const size = only ? Infinity : Number(option('sample', 14));
  // Who shapes views by what this shows looks at one half.
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
  const started = performance.now();
  const content = measureContent(sample, given);
  const recalled = performance.now();
  const prefixes = measurePrefixes(sample, given);
  const took = [recalled - started, performance.now() - recalled].map(Math.round).join(' + ');
  const refused = content.filter((each) => each.refused).length;
  const lines = [
    `${given.budget} tokens, ${given.half}: ${content.length - refused} contexts over it, ${refused} refused, ${prefixes.length} pairs of versions; ${took} ms`,
    ...figureLines(figuresOf(content, prefixes)),
    needLine(measureNeed(sample, given)),
    ...(isEach ? content.map(eachLine) : []),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
}

/** The mean over all places, by strategy. */
function needLine(cells) {
  const shares = strategyNames.map((name) => {
    const told = cells.map(({ of }) => of[name].told / of[name].of);
    return `${name} ${percent(told.reduce((sum, each) => sum + each, 0) / told.length)}`;
  });
  return `need at ${cells.length} places: ${shares.join(', ')}`;
}

function eachLine({ context, times, strategies }) {
  if (!strategies) return `${context.name}: refused`;
  const recalls = strategyNames.map((name) => {
    const { told, of } = strategies[name].recall.older;
    return percent(told / of);
  });
  const [first] = strategyNames;
  const { recall, used } = strategies[first];
  return `${context.name}: ${times.toFixed(1)} times, ${recalls.join(', ')} of ${recall.older.of}; used ${percent(used)}`;
}
