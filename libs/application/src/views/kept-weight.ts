import { type ViewSource, sizeOfSource } from '#context-views';
import { type ContextHead } from '#read-models';

/** What a context takes beside its texts, and each of its entries, as if it were tokens. */
const tokensApart = 4_000;
const tokensEntry = 50;

/**
 * Estimated tokens of a context that is kept between views. Its head counts its own events, also those of which views do not
 * tell; what a fork has inherited is in its source only.
 */
export function weightOf({ tokens }: Pick<ContextHead, 'tokens'>, source: ViewSource): number {
  const entries = source.timeline.entries.length * tokensEntry;
  return Math.max(tokens, sizeOfSource(source)) + tokensApart + entries;
}
