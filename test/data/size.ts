/** `npm run test:data` tests all of the real data; other runs test a sample that is the same each time. */
export const isWhole = process.env['THROUGHLINE_DATA_SIZE'] === 'full';

const sampleEvery = 16;
/** Smaller sets are tested completely: their figures would depend on the sample. */
const smallest = 400;

/** Each sixteenth of a large set, or all of it. */
export function sampled<Item>(items: readonly Item[]): readonly Item[] {
  return isWhole || items.length < smallest
    ? items
    : items.filter((_, at) => at % sampleEvery === 0);
}

/**
 * The minimum number for the sample, from the minimum for all of the data. A sample of each sixteenth need not contain
 * a sixteenth of them: 0.6 of that share is enough to show that the rules find them.
 */
export function atLeast(count: number): number {
  return isWhole ? count : Math.floor((count / sampleEvery) * 0.6);
}
