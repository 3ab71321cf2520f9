import { table } from '../table.mjs';
import { figuresOf, ratioToBest, selected } from './figures.mjs';
import { kindOf, kinds } from './kinds.mjs';
import { others, ours, strategyNames } from './strategies.mjs';

export function figureLines(figures) {
  const { by } = figures;
  const rows = strategyNames.map((name) => [name, ...strategyCells(by[name])]);
  const ratios = ['behind', 'need', 'older', 'pooled', 'all', 'own'].map((kind) =>
    times(ratioToBest(by, (each) => each[kind])),
  );
  const heads = [
    ...['', 'live decisions verbatim', 'recall before the newest 3', 'need'],
    ...['recall before the longest full tail', 'the same, pooled'],
    ...['recall of all outputs', 'recall of own shortened outputs', 'budget used', 'p10'],
    ...['cache hits', 'p10', 'stable prefix p50', 'p10', 'p50 with contexts that fit'],
  ];
  const blanks = Array.from({ length: heads.length - ratios.length - 2 }, () => '');
  return [
    ...table(heads, [...rows, ['ours to the best other', '', ...ratios, ...blanks]]),
    '',
    ...bandLines(figures.bands),
  ];
}

function strategyCells({ decisions, hits, prefix, ...shares }) {
  const { behind, need, older, pooled, all, own, used, minUsed } = shares;
  return [
    `${decisions.told} of ${decisions.of}`,
    ...[behind, need, older, pooled, all, own, used, minUsed].map(percent),
    ...[hits.mean, hits.p10, prefix.p50, prefix.p10, prefix.all].map(percent),
  ];
}

function bandLines(bands) {
  return table(
    ['context to budget', 'contexts', ...strategyNames, 'ours to the best other'],
    bands
      .filter(({ contexts }) => contexts > 0)
      .map((band) => [
        `${band.from} to ${band.to === Infinity ? 'any' : band.to} times`,
        String(band.contexts),
        ...strategyNames.map((name) => percent(band.by[name])),
        times(ratioToBest(band.by, (recall) => recall)),
      ]),
  );
}

/** Ours compared with the best of the others, by kind of record. */
export function kindLines(measured) {
  const rows = kinds.flatMap((kind) => {
    const figures = figuresOf(selected(measured, (context) => kindOf(context) === kind));
    return figures.contexts === 0 ? [] : [[kind, ...kindCells(figures)]];
  });
  const heads = [
    ...['', 'contexts', 'recall before the newest 3', 'best other', 'ratio'],
    ...['places', 'need', 'best other', 'ratio', 'runs', 'cache hits', 'p10', 'old bytes'],
    ...['budget used', 'p10', 'facts with a label', 'invented'],
  ];
  return table(heads, rows);
}

function kindCells({ contexts, places, by, labels, invented }) {
  const { behind, need, hits, used, minUsed } = by[ours];
  const beside = (mine, of) => [
    percent(mine),
    percent(Math.max(...others.map((name) => of(by[name])))),
    times(ratioToBest(by, of)),
  ];
  return [
    ...[String(contexts), ...beside(behind, (each) => each.behind)],
    ...[String(places), ...beside(need, (each) => each.need)],
    ...[String(hits.runs), percent(hits.mean), percent(hits.p10), percent(hits.old)],
    ...[percent(used), percent(minUsed), percent(labels.share), String(invented.told)],
  ];
}

export function percent(value) {
  return Number.isNaN(value) ? '' : `${(value * 100).toFixed(1)} %`;
}

export function times(value) {
  return Number.isFinite(value) ? `${value.toFixed(2)}x` : '';
}
