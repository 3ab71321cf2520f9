import { isVisible } from '#event-sourcing';

import { type JsonDraft } from './json-draft.js';
import { type JsonPart } from './json-part.js';

const maxLength = 1000;
const cutPair = /[\uD800-\uDBFF]$/;

/** A title for a context, shortened with a note if it is too long; undefined if it has no visible character. */
export function titleOf(draft: JsonDraft, part: JsonPart | undefined): string | undefined {
  const title = part?.value();
  if (!part || typeof title !== 'string' || !isVisible(title)) return undefined;
  if (title.length <= maxLength) return title;
  draft.note(part, 'changed', 'a title has at most 1,000 characters: the rest stays text');
  return `${title.slice(0, maxLength - 1).replace(cutPair, '')}…`;
}
