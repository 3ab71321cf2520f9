import { setTimeout as wait } from 'node:timers/promises';

const pollMs = 10;

/** Asks until the answer is true; what never becomes true is found by the limit of the test. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await wait(pollMs);
}
