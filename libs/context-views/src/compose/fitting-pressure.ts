import { type Segment } from '../segments/segment.js';

import { type Group, type Pressure } from './pressure.js';

/** The view under a pressure; undefined if it does not fit. */
export type Compose = (pressure: Pressure) => readonly Segment[] | undefined;

/** `next`: the one with less pressure, of which not all fits. */
export type FittingView = Readonly<{
  pressure: Pressure;
  segments: readonly Segment[];
  next: Pressure | undefined;
}>;

/** Under the least pressure of the first group of which any fits. */
export function findFitting(groups: readonly Group[], compose: Compose): FittingView | undefined {
  for (const group of groups) {
    const [pressure] = group;
    const segments = compose(pressure);
    if (segments) return leastIn(group, { pressure, segments, next: undefined }, compose);
  }
  return undefined;
}

/** Under the least pressure of a group that fits, by halves; `most` is what is known to fit. */
export function leastIn(group: Group, most: FittingView, compose: Compose): FittingView {
  let found = most;
  let [low, high] = [0, group.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const pressure = group[middle] ?? most.pressure;
    const segments = compose(pressure);
    if (segments) [low, found] = [middle, { pressure, segments, next: undefined }];
    else high = middle - 1;
  }
  return { ...found, next: group[low + 1] };
}
