import { type Tokenizer } from '#context-views';

import { runInSlices } from '../slices/slices.js';

/** Counts a text without keeping others waiting, however large it is. */
export function unitsOf(tokenizer: Tokenizer, text: string): Promise<number> {
  return runInSlices(tokenizer.unitsInSteps(text));
}
