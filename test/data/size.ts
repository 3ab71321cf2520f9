/** `npm run test:data` tries all of the real data; a run of every suite tries a sample that is the same each time. */
export const isWhole = process.env['THROUGHLINE_DATA_SIZE'] === 'full';

const sampleEvery = 16;
/** A set of fewer is tried whole: its figures would depend on which few are chosen. */
const smallest = 400;

/** Every sixteenth of a large set, unless all are tried. */
export function sampled<Item>(items: readonly Item[]): readonly Item[] {
  return isWhole || items.length < smallest
    ? items
    : items.filter((_, at) => at % sampleEvery === 0);
}

/**
 * How many there must be at least, stated for all of the data. A sample of every sixteenth need not hold a sixteenth of
 * them: 0.6 of that share is enough to show that the rules find them.
 */
export function atLeast(count: number): number {
  return isWhole ? count : Math.floor((count / sampleEvery) * 0.6);
}
