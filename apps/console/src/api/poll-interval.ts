/** Milliseconds until a list is read again whose rows lag behind the events: more after each read, because the projection may be stopped. */
const lagMs = [300, 600, 1_200, 2_400, 5_000];
/** Milliseconds until a current list is read again. */
const pollMs = 15_000;

/** Milliseconds until the next read, after a number of reads in a row whose rows lagged. */
export function pollMsAfter(lagging: number): number {
  return lagging === 0 ? pollMs : (lagMs[lagging - 1] ?? lagMs.at(-1) ?? pollMs);
}
