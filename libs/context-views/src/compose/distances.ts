/**
 * How many tokens of an entry count for where it lies. Short forms of long entries take no more than those of short ones: what is long must
 * not push out all before it.
 */
const maxCounted = 120;
/** Of the budget: entries are settled once so much has come behind the last that are, not counting the tail. */
const quantumShare = 0.5;
/** Of the budget: the newest entries, which are never settled. */
const tailShare = 0.2;

/**
 * How far each entry lies behind the last settled one, in estimated tokens, the oldest first; negative for those that are not settled. What is
 * settled stays the same until another quantum is full.
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
