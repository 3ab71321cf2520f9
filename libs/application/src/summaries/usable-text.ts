import { longestSummary } from '#shared-context';
import { SummarizerError } from '#summarizers';

/** A summary of at most this length may be replaced by one of any shorter length. */
const shortSummary = 2_000;

/**
 * Returns the text of a model, unless it would lose content: models sometimes omit nearly all of a long text when they
 * rewrite it, and later summaries would build on that. Throws SummarizerError.
 */
export function usableText(text: string, previous: string | undefined): string {
  if (text.length > longestSummary)
    throw new SummarizerError(`wrote ${text.length} characters`, 'garbled');
  const before = previous?.length ?? 0;
  if (before > shortSummary && text.length < before / 2)
    throw new SummarizerError(
      `left out more than half of the summary so far: ${text.length} characters for ${before}`,
      'garbled',
    );
  return text;
}
