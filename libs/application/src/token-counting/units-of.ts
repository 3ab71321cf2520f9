import { type Tokenizer } from '#context-views';
import { runInSlices } from '#slices';

/** UTF-16 units. A text from this length on may be one word, and merging its bytes takes some sixty bytes of memory a character. */
const longText = 262_144;

/** Settles when the last of the long texts that wait has been counted. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Counts a text without keeping others waiting, however large it is. Long texts take turns: counting them side by side
 * would be done no earlier, and take the memory of all of them at once. Throws the reason of `signal` once that is aborted.
 */
export function unitsOf(tokenizer: Tokenizer, text: string, signal?: AbortSignal): Promise<number> {
  const count = () => runInSlices(tokenizer.unitsInSteps(text), signal);
  if (text.length < longText) return count();
  const turn = lastTurn.then(count);
  lastTurn = turn.catch(() => undefined);
  return turn;
}
