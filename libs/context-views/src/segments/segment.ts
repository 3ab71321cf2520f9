import { factsShownIn } from '../digests/index.js';
import { type Tokenizer } from '../tokens/tokenizer.js';

/** What an answer says of something in the text; `fullTokens` is what it would take whole. */
export type ViewForm = 'whole' | 'digest' | 'line' | 'rollup';

/** Something that a view shows whole or in a shorter form. */
type Original = Readonly<{ wholeUnits: (tokenizer: Tokenizer) => number }>;

/**
 * A piece of the text. It begins with neither a blank nor "/" and ends with a line feed, so that the boundary between two
 * is one between tokens, and their units add up exactly.
 */
export type Segment = Readonly<{
  text: string;
  units: number;
  ref: string | null;
  form: ViewForm;
  /** The facts that the text has. */
  facts: () => ReadonlySet<string>;
  /** What it is a shorter form of; undefined if it is whole. */
  original?: Original | undefined;
  /** Estimated tokens of what a roll-up covers. */
  covers?: number;
}>;

/** `fits` if the units are within the budget; otherwise `units` is what it would take at least. */
export type ComposedView = Readonly<{ segments: readonly Segment[]; units: number; fits: boolean }>;

/** The facts of a text, found when they are needed first. */
export function factsOfText(text: string): () => ReadonlySet<string> {
  let facts: ReadonlySet<string> | undefined;
  return () => (facts ??= factsShownIn(text));
}

export function unitsIn(segments: readonly Segment[]): number {
  return segments.reduce((sum, { units }) => sum + units, 0);
}
