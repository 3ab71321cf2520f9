import { type Segment } from './segment.js';

/** Units at the beginning of a text that an earlier one begins with too, in whole segments. */
export function stablePrefixUnits(
  before: readonly Segment[] | undefined,
  now: readonly Segment[],
): number {
  let units = 0;
  for (const [at, segment] of now.entries()) {
    if (before?.[at]?.text !== segment.text) break;
    units += segment.units;
  }
  return units;
}
