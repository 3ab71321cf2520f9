import { setImmediate } from 'node:timers/promises';

import { type Tokenizer } from '#context-views';

/** Counts a text without keeping others waiting, however large it is. */
export async function unitsOf(tokenizer: Tokenizer, text: string): Promise<number> {
  const steps = tokenizer.unitsInSteps(text);
  let step = steps.next();
  while (!step.done) {
    await setImmediate();
    step = steps.next();
  }
  return step.value;
}
