import { countBytePairs, countBytePairsInSteps } from './byte-pairs.js';

/** All runs of "a" up to eight bytes long are tokens. */
const runs = new Map(
  [1, 2, 3, 4, 5, 6, 7, 8].map((length, rank) => ['a'.repeat(length), rank] as const),
);

/** How often a rank is looked up while bytes are merged. */
function lookups(
  count: (bytes: string, ranks: ReadonlyMap<string, number>) => void,
  bytes: string,
) {
  let asked = 0;
  const ranks = new Map(runs);
  ranks.get = (key) => {
    asked += 1;
    return runs.get(key);
  };
  count(bytes, ranks);
  return asked;
}

describe('merging the bytes of a word', () => {
  it.each([
    [
      'at once',
      (bytes: string, ranks: ReadonlyMap<string, number>) => {
        countBytePairs(bytes, { ranks, longest: 8 });
      },
    ],
    [
      'in steps',
      (bytes: string, ranks: ReadonlyMap<string, number>) => {
        const steps = countBytePairsInSteps(bytes, { ranks, longest: 8 });
        while (!steps.next().done);
      },
    ],
  ])('looks up at most three ranks a byte, %s', (_, count) => {
    for (const length of [10_000, 20_000, 40_000])
      expect(lookups(count, 'a'.repeat(length))).toBeLessThanOrEqual(3 * length);
    expect(lookups(count, 'a'.repeat(10_000))).toBeGreaterThan(10_000);
  });
});
