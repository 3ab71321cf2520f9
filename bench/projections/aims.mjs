import { atLeast } from '../aim.mjs';
import { median } from '../statistics.mjs';
import { emmett, ours } from './parts/throughput.mjs';

const perSecond = (value) => `${Math.round(value).toLocaleString('en')}/s`;

/** What was asked for, what came out, and where it was missed by how much and why. */
export function judgeAims({ throughput }) {
  const { slots } = throughput;
  return [
    atLeast('rebuild, events a second', 20_000, medianSpeed(slots, ours.rebuild), {
      show: perSecond,
      why: whyRebuild,
    }),
    ...[ours.rebuild, ours.catchUp].map((name) =>
      atLeast(`${name} / Emmett, tuned`, 3, ratioOf(slots, name, emmett.tuned[0])),
    ),
  ];
}

export function medianSpeed(slots, name) {
  return median(slots.get(name).map(({ perSecond: speed }) => speed));
}

/** The median of the rounds' own ratios; undefined where the other was not measured. */
export function ratioOf(slots, name, other) {
  if (!slots.has(other)) return undefined;
  const others = slots.get(other);
  return median(slots.get(name).map((slot, round) => slot.perSecond / others[round].perSecond));
}

const whyRebuild =
  'A rebuild parses every event and its envelope, folds it, and writes three rows in indexed tables; PostgreSQL and the process that rebuilds share the two processors, and both are busy throughout.';
