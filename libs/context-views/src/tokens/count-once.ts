import { type Tokenizer } from './tokenizer.js';

/** A line that begins with a backtick, like a fence, begins a segment: there units add up, see {@link Tokenizer}. */
const segmentStart = '\n`';
/** UTF-16 code units. */
const maxAtOnce = 32_768;

/**
 * A tokenizer for texts with common parts, such as one prompt with views of several sizes in its fences. The text
 * between two fences is counted once, even if it occurs in several texts.
 */
export function countOnce(tokenizer: Tokenizer): Tokenizer {
  const known = new Map<string, number>();
  return { ...tokenizer, unitsInSteps: (text) => countSegments(text, tokenizer, known) };
}

function* countSegments(
  text: string,
  tokenizer: Tokenizer,
  known: Map<string, number>,
): Generator<void, number> {
  let units = 0;
  let sincePause = 0;
  for (const segment of segmentsOf(text)) {
    const counted = known.get(segment) ?? (yield* tokenizer.unitsInSteps(segment));
    known.set(segment, counted);
    units += counted;
    sincePause += segment.length;
    if (sincePause < maxAtOnce) continue;
    sincePause = 0;
    yield;
  }
  return units;
}

function* segmentsOf(text: string): Generator<string> {
  let from = 0;
  for (let at = text.indexOf(segmentStart); at !== -1; at = text.indexOf(segmentStart, from)) {
    yield text.slice(from, at + 1);
    from = at + 1;
  }
  yield text.slice(from);
}
