import { type Segment } from '../segments/segment.js';

import { type LevelGroup, type CompressionLevel } from './compression-level.js';

/** Composes the view at a compression level; undefined if it does not fit. */
export type Compose = (compression: CompressionLevel) => readonly Segment[] | undefined;

/** `next`: the next less compressed level, which does not fit. */
export type FittingView = Readonly<{
  compression: CompressionLevel;
  segments: readonly Segment[];
  next: CompressionLevel | undefined;
}>;

/** The least compressed view that fits, from the first group with a level that fits. */
export function findFitting(
  groups: readonly LevelGroup[],
  compose: Compose,
): FittingView | undefined {
  for (const group of groups) {
    const [compression] = group;
    const segments = compose(compression);
    if (segments)
      return leastCompressedIn(group, { compression, segments, next: undefined }, compose);
  }
  return undefined;
}

/** Binary search for the least compressed level of a group that fits; `known` is a view that fits. */
export function leastCompressedIn(
  group: LevelGroup,
  known: FittingView,
  compose: Compose,
): FittingView {
  let found = known;
  let [low, high] = [0, group.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const compression = group[middle] ?? known.compression;
    const segments = compose(compression);
    if (segments) [low, found] = [middle, { compression, segments, next: undefined }];
    else high = middle - 1;
  }
  return { ...found, next: group[low + 1] };
}
