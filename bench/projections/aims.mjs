import { atLeast, atMost, milliseconds, times } from '../aim.mjs';
import { median } from '../statistics.mjs';
import { steady } from './parts/as-of.mjs';
import { emmett, ours } from './parts/throughput.mjs';

const perSecond = (value) => `${Math.round(value).toLocaleString('en')}/s`;

/** The aims and results, with deviations and their reasons. */
export function judgeAims({ throughput, delay, asOf, given }) {
  const { slots } = throughput;
  return [
    atLeast('rebuild, events a second', 20_000, medianSpeed(slots, ours.rebuild), {
      show: perSecond,
      why: whyRebuild,
    }),
    ...[ours.rebuild, ours.catchUp].map((name) =>
      atLeast(`${name} / Emmett, tuned`, 3, ratioOf(slots, name, emmett.tuned[0])),
    ),
    atMost('append to list, 500 appends/s, p99', 100, delay.row.p99, {
      show: milliseconds,
      why: whyDelay,
    }),
    ...asOfAims(asOf, given.histories),
  ];
}

/** The slower of the two ways to state a point in time, in a document of constant size. */
function asOfAims(asOf, histories) {
  const worst = (events) => {
    const cells = asOf.filter((cell) => cell.kind === steady && cell.events === events);
    return Math.max(...cells.map(({ p50 }) => p50));
  };
  const [least, most] = [histories[0], histories.at(-1)];
  const growth = most / least;
  return [
    atMost(
      `document as of the middle, ${least.toLocaleString('en')} events, p50`,
      30,
      worst(least),
      {
        show: milliseconds,
        why: whyAsOf,
      },
    ),
    atMost(
      `the same, ${most.toLocaleString('en')} events / ${least.toLocaleString('en')} events`,
      growth,
      worst(most) / worst(least),
      { show: times, why: whyAsOf },
    ),
  ];
}

export function medianSpeed(slots, name) {
  return median(slots.get(name).map(({ perSecond: speed }) => speed));
}

/** The median of the ratios per round; undefined if the other one was not measured. */
export function ratioOf(slots, name, other) {
  if (!slots.has(other)) return undefined;
  const others = slots.get(other);
  return median(slots.get(name).map((slot, round) => slot.perSecond / others[round].perSecond));
}

const whyRebuild =
  'A rebuild parses every event and its envelope, folds it, and writes three rows in indexed tables; the rows also hold who has made each item, the activity of its context, its agents and its open work, and the search index follows in the same process. PostgreSQL and that process share the two processors, and both are busy throughout.';
const whyDelay =
  'The projector shares the process with the requests: where the processors are busy, its batches wait with them, and each is the larger for it.';
const whyAsOf =
  'The document at a version is found by going through every item row the context ever had, in the order of their keys.';
