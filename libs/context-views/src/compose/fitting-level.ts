import { type Segment } from '../segments/segment.js';

import { type Group, type CompressionLevel } from './compression-level.js';

/** The view under a pressure; undefined if it does not fit. */
export type Compose = (compression: CompressionLevel) => readonly Segment[] | undefined;

/** `next`: the one with less pressure, of which not all fits. */
export type FittingView = Readonly<{
  compression: CompressionLevel;
  segments: readonly Segment[];
  next: CompressionLevel | undefined;
}>;

/** Under the least pressure of the first group of which any fits. */
export function findFitting(groups: readonly Group[], compose: Compose): FittingView | undefined {
  for (const group of groups) {
    const [compression] = group;
    const segments = compose(compression);
    if (segments) return minIn(group, { compression, segments, next: undefined }, compose);
  }
  return undefined;
}

/** Under the least pressure of a group that fits, by halves; `most` is what is known to fit. */
export function minIn(group: Group, most: FittingView, compose: Compose): FittingView {
  let found = most;
  let [low, high] = [0, group.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const compression = group[middle] ?? most.compression;
    const segments = compose(compression);
    if (segments) [low, found] = [middle, { compression, segments, next: undefined }];
    else high = middle - 1;
  }
  return { ...found, next: group[low + 1] };
}
