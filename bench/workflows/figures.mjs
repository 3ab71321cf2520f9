import { median, quantile } from '../statistics.mjs';

/** Milliseconds for a step of one run, of one round. */
export function perStep({ latencies }) {
  return latencies.reduce((sum, ms) => sum + ms, 0) / latencies.length;
}

/** Half and all but a hundredth of what is in some lists. */
export function spread(lists) {
  const all = lists.flat();
  return { p50: quantile(all, 0.5), p99: quantile(all, 0.99) };
}

/** The median of the rounds' own ratios; undefined if one of them was not measured. */
export function ratioOfRounds(slots, left, right, figure) {
  const others = slots.get(right);
  if (!slots.has(left) || !others) return undefined;
  return median(slots.get(left).map((slot, round) => figure(slot) / figure(others[round])));
}

/** How much longer a step takes at one depth than at another: the median over the turns, which had both side by side. */
export function depthRatio(cells, deep, shallow) {
  const others = cells.get(shallow);
  return median(cells.get(deep).map((took, turn) => median(took) / median(others[turn])));
}
