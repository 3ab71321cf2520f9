import { quantile } from '../statistics.mjs';
import { table } from '../table.mjs';
import { others, ours, strategyNames } from './strategies.mjs';

const bands = [1, 1.5, 3, 8, Infinity];

/** The figures of one budget and of some contexts, by strategy. */
export function figuresOf(content, prefixes) {
  const told = content.filter(({ strategies }) => strategies);
  const figures = strategyNames.map((name) => {
    const cells = told.map(({ strategies }) => strategies[name]);
    const recalls = (kind) => cells.map(({ recall }) => recall[kind]).filter(({ of }) => of > 0);
    return [
      name,
      {
        decisions: summed(cells.map(({ decisions }) => decisions)),
        older: mean(recalls('older').map(share)),
        pooled: share(summed(recalls('older'))),
        all: mean(recalls('all').map(share)),
        own: mean(recalls('own').map(share)),
        used: mean(cells.map(({ used }) => used)),
        prefix: prefixOf(prefixes, name),
      },
    ];
  });
  return { contexts: told.length, by: Object.fromEntries(figures), bands: bandsOf(told) };
}

/** Of pairs of versions at which the context does not fit whole, and of all. */
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

/** A context that hardly exceeds the budget is told nearly whole by everybody. */
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

/** Ours to the best of the others, by what `of` reads of a strategy. */
export function ratioToBest(by, of) {
  return of(by[ours]) / Math.max(...others.map((name) => of(by[name])));
}

export function figureLines({ by, bands: lines }) {
  const rows = strategyNames.map((name) => {
    const { decisions, older, pooled, all, own, used, prefix } = by[name];
    return [
      name,
      `${decisions.told} of ${decisions.of}`,
      ...[older, pooled, all, own, used, prefix.p50, prefix.p10, prefix.all].map(percent),
    ];
  });
  const ratios = ['older', 'pooled', 'all', 'own'].map((kind) =>
    times(ratioToBest(by, (figures) => figures[kind])),
  );
  const heads = [
    ...['', 'live decisions verbatim', 'recall of older outputs', 'the same, pooled'],
    ...['recall of all outputs', 'recall of what it shortened itself', 'budget used'],
    ...['stable prefix p50', 'p10', 'p50 with contexts that fit'],
  ];
  return [
    ...table(heads, [...rows, ['ours to the best other', '', ...ratios, '', '', '', '']]),
    '',
    ...table(
      ['context to budget', 'contexts', ...strategyNames, 'ours to the best other'],
      lines
        .filter(({ contexts }) => contexts > 0)
        .map((band) => [
          `${band.from} to ${band.to === Infinity ? 'any' : band.to} times`,
          String(band.contexts),
          ...strategyNames.map((name) => percent(band.by[name])),
          times(ratioToBest(band.by, (recall) => recall)),
        ]),
    ),
  ];
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

export function percent(value) {
  return Number.isNaN(value) ? '' : `${(value * 100).toFixed(1)} %`;
}

function times(value) {
  return Number.isFinite(value) ? `${value.toFixed(2)}x` : '';
}
