import { atLeast, atMost, milliseconds, times } from '../aim.mjs';
import { percent } from './figure-tables.mjs';
import { figuresOf, ratioToBest, selected } from './figures.mjs';
import { kindOf, kinds } from './kinds.mjs';
import { others, ours } from './strategies.mjs';

/** By budget: the minimum ratio to the best of the others, and the minimum share of bytes that a cache hits. */
const recallAims = new Map([
  [2_000, 1.2],
  [8_000, 1.4],
  [50_000, 1.5],
]);
const needAims = new Map([[2_000, 1.1]]);
const hitAims = new Map([
  [2_000, 0.6],
  [8_000, 0.9],
]);
const usedAim = 0.95;
/** A mean of fewer runs is not representative. */
const fewestRuns = 3;

/** The aims and results, with deviations and their reasons. */
export function judgeAims({ content, application, rendering, given }) {
  return [...content.flatMap(contentAims), ...timeAims(application.cells, rendering, given)];
}

/** Computed on the half of the contexts that was not used to design views; invented facts on all. */
function contentAims({ budget, measured }) {
  const heldOut = selected(measured, ({ half }) => half === 'held out');
  const figures = figuresOf(heldOut);
  const of = `${budget.toLocaleString('en')} tokens`;
  return [
    ...ratioAims(recallAims, 'behind', `recall before the newest 3, ${of}`, { budget, figures }),
    ...ratioAims(needAims, 'need', `need, ${of}`, { budget, figures }),
    ...hitsAims(heldOut, { budget, figures, of }),
    ...usedAims(figures, of),
    inventedAim(figuresOf(measured), of),
  ];
}

function ratioAims(aims, figure, name, { budget, figures: { by } }) {
  const aim = aims.get(budget);
  if (aim === undefined) return [];
  const best = Math.max(...others.map((other) => by[other][figure]));
  const ratio = known(ratioToBest(by, (each) => each[figure]));
  return [atLeast(`${name} / best of the others`, aim, ratio, { why: whyRatio(best, aim) })];
}

function hitsAims(measured, { budget, figures, of }) {
  const aim = hitAims.get(budget);
  if (aim === undefined) return [];
  const byKind = kinds.flatMap((kind) => {
    const chosen = selected(measured, (context) => kindOf(context) === kind);
    const { hits } = figuresOf(chosen).by[ours];
    return hits.runs < fewestRuns ? [] : [{ kind, hits }];
  });
  const [least] = byKind.toSorted((left, right) => left.hits.mean - right.hits.mean);
  const name = `cache hits over whole runs, ${of}`;
  const judged = (what, { mean, old }) =>
    atLeast(`${name}, ${what}`, aim, known(mean), { show: percent, why: whyHits(old, aim, what) });
  return [
    judged('mean', figures.by[ours].hits),
    ...(least ? [judged(`the kind with the fewest: ${least.kind}`, least.hits)] : []),
  ];
}

function usedAims({ by }, of) {
  const { used, minUsed } = by[ours];
  const name = `budget used if something was left out, ${of}`;
  return [
    atLeast(`${name}, mean`, usedAim, known(used), { show: percent }),
    atLeast(`${name}, p10`, usedAim, known(minUsed), { show: percent }),
  ];
}

/** A maximum of zero has no relative deviation. */
function inventedAim({ invented }, of) {
  const measured = `${invented.told} of ${invented.of}`;
  const verdict = invented.told === 0 ? 'met' : 'missed';
  return { name: `invented facts, ${of}`, aim: 'none', measured, verdict };
}

/** There is no reason if the aim could have been reached. */
function whyRatio(best, aim) {
  if (best * aim <= 1) return undefined;
  return `The best of the others shows ${percent(best)}: even a view that shows all of it would have a ratio of ${times(1 / best)} only; the aim is ${times(aim)}.`;
}

function whyHits(old, aim, what) {
  if (!(old < aim)) return undefined;
  return `Cache hits, ${what}: about ${percent(old)} of the bytes of these views are older than the newest event, so that views which show that event in full cannot reach the aim of ${percent(aim)}.`;
}

function timeAims(cells, rendering, { steps }) {
  const most = steps.at(-1);
  const of = (what) => (count) =>
    [...cells, ...rendering].find((cell) => cell.what === what && cell.steps === count).p50;
  return ['read again', 'after one more step', 'rendering'].flatMap((what) => {
    const name = `view of 8,000 tokens, ${named[what]}`;
    const p50 = of(what);
    return [
      atMost(`${name}, ${most.toLocaleString('en')} steps, p50`, 5, p50(most), {
        show: milliseconds,
        why: whyTime,
      }),
      atMost(`the same, ${most.toLocaleString('en')} steps / 100 steps`, 2, p50(most) / p50(100), {
        show: times,
        why: whyTime,
      }),
    ];
  });
}

const named = {
  'read again': 'in the application, read again',
  'after one more step': 'in the application, after one more step',
  rendering: 'rendering alone, after one more step',
};

/** Undefined if there was nothing to measure. */
function known(value) {
  return Number.isNaN(value) ? undefined : value;
}

const whyTime =
  'A view is composed of the items of its version and of the one before; the parts whose cost grows with the number of steps grow here too.';
