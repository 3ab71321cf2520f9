/** Versions `from` to `to`, both included. */
export type VersionGroup = Readonly<{ from: number; to: number }>;

/** How many versions are rolled up together at least. Older groups have twice, four times, ... as many. */
export const groupSize = 16;

/**
 * The versions before `end` (whole groups of {@link groupSize}) in as few aligned groups as possible, the largest
 * first. When another group joins, the older ones mostly stay the same.
 */
export function groupsBefore(end: number): readonly VersionGroup[] {
  const groups: VersionGroup[] = [];
  let from = 0;
  let left = Math.floor((end - 1) / groupSize);
  for (let size = 2 ** Math.floor(Math.log2(Math.max(left, 1))); left > 0; size /= 2)
    if (left >= size) {
      const to = from + size * groupSize;
      groups.push({ from: from + 1, to });
      from = to;
      left -= size;
    }
  return groups;
}

/** The first version of the group that `version` is in. */
export function groupStart(version: number): number {
  return leafOf(version) * groupSize + 1;
}

/** The number of the group of the smallest size that `version` is in. */
export function leafOf(version: number): number {
  return Math.floor((Math.max(version, 1) - 1) / groupSize);
}

/** Whether {@link groupsBefore} can return the group. */
export function isAligned({ from, to }: VersionGroup): boolean {
  const versions = to - from + 1;
  const times = Math.log2(versions / groupSize);
  return times >= 0 && Number.isInteger(times) && (from - 1) % versions === 0;
}
