import { longestSummary } from '#shared-context';
import { SummarizerError } from '#summarizers';

/** A summary shorter than this may become any shorter one. */
const shortSummary = 2_000;

/**
 * What a model wrote, unless it would do harm to keep it: models that write a long text again now and then leave nearly
 * all of it out, and whoever goes on from that has lost it. Throws SummarizerError.
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
