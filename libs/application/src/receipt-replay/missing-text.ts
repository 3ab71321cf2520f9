import { type ReceiptFacts } from '#context-views';

import { type TextMissing } from './receipt.messages.js';

const details: Readonly<Record<TextMissing, string>> = {
  'other-renderer':
    'another version of Throughline rendered this text, and no write cited it there',
  changed:
    'rendering it again gives another text: it contained data without versions, such as the progress of child contexts or the registered agents',
  'not-repeatable': 'its parameters did not fit in the receipt, and no write has cited it',
  'unknown-parameters':
    'the receipt has parameters that this version of Throughline does not know: use the version that issued it, or a newer one',
  'other-policy':
    'the policy of its audience has changed, and this key may read only under the current policy',
  'out-of-reach': 'it may contain facts about child contexts that this key does not reach',
};

const ofPrompt =
  'it is a prompt and was not stored: the receipt has only hashes of its template and input, so it cannot be rendered again; a prompt is stored when it is cited while the server process that rendered it still has it in memory';

/** Explains in a sentence why a text is missing. */
export function missingDetail({ kind }: Pick<ReceiptFacts, 'kind'>, missing: TextMissing): string {
  return kind === 'prompt' && missing === 'not-repeatable' ? ofPrompt : details[missing];
}
