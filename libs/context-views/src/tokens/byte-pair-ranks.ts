/** Ranks of byte strings: each character of a key is one byte. */
export type BytePairRanks = Readonly<{ ranks: ReadonlyMap<string, number>; longest: number }>;

const keysInStep = 2_048;

/**
 * Unpacks ranks in steps of about a millisecond. `packed` has the format of js-tiktoken: in each line a word, the first
 * rank, then base64 texts of the bytes.
 */
export function* unpackRanks(packed: string): Generator<void, BytePairRanks> {
  const ranks = new Map<string, number>();
  let longest = 0;
  for (const line of packed.split('\n')) {
    const [, first, ...keys] = line.split(' ');
    for (const [n, key] of keys.entries()) {
      const bytes = atob(key);
      ranks.set(bytes, Number(first) + n);
      longest = Math.max(longest, bytes.length);
      if (n % keysInStep === 0) yield;
    }
  }
  return { ranks, longest };
}
