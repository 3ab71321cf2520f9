import { factsShownIn } from '../digests/index.js';
import { type Tokenizer } from '../tokens/tokenizer.js';

/** The form of an item in the text of a view. */
export type ViewForm = 'whole' | 'digest' | 'line' | 'rollup';

/** Content that a view shows whole or in a shorter form. */
type Original = Readonly<{ wholeUnits: (tokenizer: Tokenizer) => number }>;

/**
 * A part of the text of a view. It begins with neither a blank nor "/" and ends with a line feed, so that the boundary
 * between two segments is a boundary between tokens, and their units add up exactly.
 */
export type Segment = Readonly<{
  text: string;
  units: number;
  ref: string | null;
  form: ViewForm;
  /** The facts in the text. */
  facts: () => ReadonlySet<string>;
  /** The content of which this is a shorter form; undefined if it is whole. */
  original?: Original | undefined;
  /** Estimated tokens of the entries in a roll-up. */
  covers?: number;
}>;

/** `fits`: whether the units are within the budget; if not, `units` is the minimum. */
export type ComposedView = Readonly<{ segments: readonly Segment[]; units: number; fits: boolean }>;

/** The facts of a text, computed on first use. */
export function factsOfText(text: string): () => ReadonlySet<string> {
  let facts: ReadonlySet<string> | undefined;
  return () => (facts ??= factsShownIn(text));
}

export function unitsIn(segments: readonly Segment[]): number {
  return segments.reduce((sum, { units }) => sum + units, 0);
}
