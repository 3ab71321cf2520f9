import { type Tokenizer } from '#context-views';
import { runInSlices } from '#slices';

/** UTF-16 units. A text of this length may be a single word, whose merging takes some sixty bytes of memory per character. */
const longText = 262_144;

/** Settles when the last waiting long text is counted. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Counts the tokens of a text of any size without blocking the event loop. Long texts are counted one after another:
 * counting them concurrently would not be faster, and would take the memory of all at once. Throws the reason of `signal`
 * once it aborts.
 */
export function unitsOf(tokenizer: Tokenizer, text: string, signal?: AbortSignal): Promise<number> {
  const count = () => runInSlices(tokenizer.unitsInSteps(text), signal);
  if (text.length < longText) return count();
  const turn = lastTurn.then(count);
  lastTurn = turn.catch(() => undefined);
  return turn;
}
