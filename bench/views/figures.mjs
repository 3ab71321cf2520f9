import { quantile } from '../statistics.mjs';
import { others, ours, strategyNames } from './strategies.mjs';

const bands = [1, 1.5, 3, 8, Infinity];

/** The measurements of the selected contexts. */
export function selected(measured, isChosen) {
  return Object.fromEntries(
    Object.entries(measured).map(([name, list]) => [
      name,
      list.filter(({ context }) => isChosen(context)),
    ]),
  );
}

/** The figures of one budget, by strategy; only `ours` has labels and invented facts. */
export function figuresOf({ cells, prefixes, need, hits }) {
  const shown = cells.filter(({ strategies }) => strategies);
  const pairs = prefixes.flatMap((each) => each.pairs);
  const figures = strategyNames.map((name) => [
    name,
    {
      ...recallFigures(shown.map(({ strategies }) => strategies[name])),
      prefix: prefixOf(pairs, name),
      need: mean(need.map(({ of }) => share(of[name]))),
      hits: hitsOf(hits.flatMap(({ by }) => by[name] ?? [])),
    },
  ]);
  const all = (name) => cells.flatMap((cell) => cell[name] ?? []);
  return {
    contexts: shown.length,
    places: need.length,
    by: Object.fromEntries(figures),
    bands: bandsOf(shown),
    labels: { ...summed(all('labels')), share: share(summed(all('labels'))) },
    invented: { ...summed(all('invented')), share: share(summed(all('invented'))) },
  };
}

function recallFigures(cells) {
  const recalls = (kind) => cells.map(({ recall }) => recall[kind]).filter(({ of }) => of > 0);
  const used = cells.map((cell) => cell.used);
  return {
    decisions: summed(cells.map(({ decisions }) => decisions)),
    behind: mean(recalls('behind').map(share)),
    older: mean(recalls('older').map(share)),
    pooled: share(summed(recalls('older'))),
    all: mean(recalls('all').map(share)),
    own: mean(recalls('own').map(share)),
    used: mean(used),
    minUsed: quantile(used, 0.1),
  };
}

/** Over runs: a tenth of them have at most `p10`. */
function hitsOf(runs) {
  const shares = runs.map(({ hit, of }) => hit / of);
  const views = runs.reduce((sum, run) => sum + run.views, 0);
  const old = mean(runs.map((run) => run.old / run.of));
  return { runs: runs.length, views, mean: mean(shares), p10: quantile(shares, 0.1), old };
}

/** Stable prefixes of a strategy: over pairs of versions whose context exceeds the budget, and over all pairs. */
function prefixOf(prefixes, name) {
  const of = (pairs) => pairs.flatMap((pair) => pair.of[name] ?? []);
  const over = of(prefixes.filter(({ isOver }) => isOver));
  return {
    pairs: over.length,
    p50: quantile(over, 0.5),
    p10: quantile(over, 0.1),
    all: quantile(of(prefixes), 0.5),
  };
}

/** All strategies contain nearly all of a context that hardly exceeds the budget. */
function bandsOf(told) {
  return bands.slice(1).map((to, at) => {
    const within = told.filter(({ times }) => times > bands[at] && times <= to);
    const means = strategyNames.map((name) => [
      name,
      mean(
        within
          .map(({ strategies }) => strategies[name].recall.older)
          .filter(({ of }) => of > 0)
          .map(share),
      ),
    ]);
    return { from: bands[at], to, contexts: within.length, by: Object.fromEntries(means) };
  });
}

/** The ratio of ours to the best of the others, in the figure that `of` reads. */
export function ratioToBest(by, of) {
  return of(by[ours]) / Math.max(...others.map((name) => of(by[name])));
}

function summed(counts) {
  return counts.reduce((sum, { told, of }) => ({ told: sum.told + told, of: sum.of + of }), {
    ...{ told: 0, of: 0 },
  });
}

function share({ told, of }) {
  return of === 0 ? Number.NaN : told / of;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
