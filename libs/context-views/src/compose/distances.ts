/**
 * How many tokens of an entry count for distances. Short forms of long entries are no longer than those of short ones,
 * so a long entry must not push out all entries before it.
 */
const maxCounted = 120;
/**
 * Entries are settled in groups, each of a quantum: this share of the budget in tokens. A group is settled when it is
 * full; the newest entries (the tail) do not count.
 */
const quantumShare = 0.5;
/** The share of the budget for the newest entries, which are never settled. */
const tailShare = 0.2;

/**
 * The distance of each entry from the last settled one, in estimated tokens, oldest entry first; negative for entries
 * that are not settled. Distances of settled entries do not change until another quantum is full.
 */
export function distancesOf(
  sizes: Float64Array,
  { maxTokens, newest }: Readonly<{ maxTokens: number; newest: number }>,
): Float64Array {
  const quantum = Math.max(maxCounted, Math.floor(maxTokens * quantumShare));
  const tail = Math.max(maxTokens * tailShare, newest * maxCounted);
  const all = sizes.reduce((sum, size) => sum + countedSize(size), 0);
  const edge = Math.floor(Math.max(0, all - tail) / quantum) * quantum;
  let end = 0;
  return sizes.map((size) => edge - (end += countedSize(size)));
}

export function countedSize(size: number): number {
  return Math.min(size, maxCounted);
}
