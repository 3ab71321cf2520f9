import { type EntryForm } from '../entries/entry.js';

/** What an answer says of something in the text; `fullTokens` is what it would take whole. */
export type ViewForm = 'whole' | 'digest' | 'line' | 'rollup';

/**
 * A piece of the text. It begins with neither a blank nor "/" and ends with a line feed, so that the boundary between two
 * is one between tokens, and their units add up exactly.
 */
export type Segment = Readonly<{
  text: string;
  units: number;
  ref: string | null;
  form: ViewForm;
  /** What it is a shorter form of, made when it is needed, as it may be large; undefined if it is whole. */
  whole?: (() => string) | undefined;
  /** Estimated tokens of what a roll-up covers. */
  covers?: number;
}>;

/** A decision without what was said for it is shortened: to its reader it is a digest. */
export function viewForm(form: EntryForm): ViewForm {
  return form === 'brief' || form === 'bare' ? 'digest' : form;
}

export function unitsIn(segments: readonly Segment[]): number {
  return segments.reduce((sum, { units }) => sum + units, 0);
}
