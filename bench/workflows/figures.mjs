import { median, quantile } from '../statistics.mjs';

/** Milliseconds per step of one run, of one round. */
export function perStep({ latencies }) {
  return latencies.reduce((sum, ms) => sum + ms, 0) / latencies.length;
}

/** The percentiles of some lists: the median and the 99th. */
export function spread(lists) {
  const all = lists.flat();
  return { p50: quantile(all, 0.5), p99: quantile(all, 0.99) };
}

/** The median of the ratios per round; undefined if the other one was not measured. */
export function ratioOfRounds(slots, left, right, figure) {
  const others = slots.get(right);
  if (!slots.has(left) || !others) return undefined;
  return median(slots.get(left).map((slot, round) => figure(slot) / figure(others[round])));
}

/**
 * The ratio of the time of a step at one depth to that at another: the median over the turns, each of which measured
 * both.
 */
export function depthRatio(cells, deep, shallow) {
  const others = cells.get(shallow);
  return median(cells.get(deep).map((took, turn) => median(took) / median(others[turn])));
}
