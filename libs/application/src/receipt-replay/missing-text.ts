import { type ReceiptFacts } from '#context-views';

import { type TextMissing } from './receipt.messages.js';

const details: Readonly<Record<TextMissing, string>> = {
  'other-renderer': 'another version of Throughline made this text, and no write cited it there',
  changed:
    'made again it comes out otherwise: it showed what has no versions, as how the children of a context got on, or agents registered since',
  'not-repeatable': 'it was asked for with more than a receipt can hold, and no write has cited it',
  'unknown-parameters':
    'the receipt says how the text was made in words that this version of Throughline does not know: ask the one that made it, or a newer one',
  'other-policy':
    'the policy of its audience is another one now, and this key sees no more than that policy shows',
  'out-of-reach': 'it may tell of children of the context that this key does not reach',
};

const ofPrompt =
  'it is a prompt, and not kept: of its template and its input the receipt holds only hashes, so it cannot be rendered again; a prompt is kept where it is cited while the server process that rendered it still remembers it';

/** Why a text is not there, for people. */
export function missingDetail({ kind }: Pick<ReceiptFacts, 'kind'>, missing: TextMissing): string {
  return kind === 'prompt' && missing === 'not-repeatable' ? ofPrompt : details[missing];
}
