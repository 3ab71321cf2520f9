import { type Tokenizer } from './tokenizer.js';

/** Lines that begin with a backtick, as fences do, begin a segment: there units add up, see {@link Tokenizer}. */
const segmentStart = '\n`';
/** UTF-16 code units. */
const maxAtOnce = 32_768;

/**
 * A tokenizer for texts that have much in common, such as one prompt with views of several sizes in its fences: what
 * stands between two fences is counted once, in however many of the texts it stands.
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
  let behindPause = 0;
  for (const segment of segmentsOf(text)) {
    const counted = known.get(segment) ?? (yield* tokenizer.unitsInSteps(segment));
    known.set(segment, counted);
    units += counted;
    behindPause += segment.length;
    if (behindPause < maxAtOnce) continue;
    behindPause = 0;
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
