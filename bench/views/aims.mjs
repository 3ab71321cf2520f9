import { atLeast, atMost, milliseconds, times } from '../aim.mjs';
import { figuresOf, percent, ratioToBest } from './figures.mjs';
import { ours } from './strategies.mjs';

/** What was asked for, what came out, and where it was missed by how much and why. */
export function judgeAims({ content, application, rendering, given }) {
  return [...content.flatMap(contentAims), ...timeAims(application.cells, rendering, given)];
}

function contentAims({ budget, cells, prefixes }) {
  const { by } = figuresOf(
    cells,
    prefixes.flatMap(({ pairs }) => pairs),
  );
  const { decisions, older, prefix } = by[ours];
  const of = `${budget.toLocaleString('en')} tokens`;
  return [
    atLeast(`live decisions kept verbatim, ${of}`, 1, known(decisions.told / decisions.of), {
      show: percent,
      why: whyDecisions,
    }),
    ...(budget === 8_000
      ? [
          atLeast(
            `recall of older outputs / best of the others, ${of}`,
            1.5,
            known(ratioToBest(by, (figures) => figures.older)),
            { show: times, why: whyRecall(older) },
          ),
        ]
      : []),
    atLeast(`stable prefix, median, where a context exceeds ${of}`, 0.9, known(prefix.p50), {
      show: percent,
      why: whyPrefix,
    }),
  ];
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

/** Nothing is measured where there is nothing to measure. */
function known(value) {
  return Number.isNaN(value) ? undefined : value;
}

function whyRecall(mean) {
  return `Of contexts a little larger than the budget everybody tells most facts: no ratio of 1.5 is possible where the best of the others tells more than two thirds of them, and ours tells ${percent(mean)} on average. The table by how far contexts exceed the budget shows where it is.`;
}
const whyDecisions =
  'The live decisions of a few contexts, which have most of the decisions, take more than the budget by themselves: no view of that size keeps all of them verbatim.';
const whyPrefix =
  'Where much comes at once, more than what a view leaves free for it, older entries change their forms at the same time.';
const whyTime =
  'A view is composed of the items of its version and of the one before; what of that grows with the number of steps grows here too.';
