import { type JsonValue, isJsonObject } from '#event-sourcing';

import { decisionKey } from '../item-keys.js';
import { type Item, type ItemKey } from '../item.js';
import { member } from '../json.js';

/** The decisions that a decision depends on, without the one that it supersedes; `relates` is not a dependency. */
export function citedDecisions({ body, state }: Item): readonly ItemKey[] {
  const related = isJsonObject(body) ? member(body, 'relatedDecisions') : undefined;
  if (!Array.isArray(related)) return [];
  return related.flatMap((link: JsonValue) => {
    if (!isJsonObject(link) || member(link, 'relation') === 'relates') return [];
    const cited = member(link, 'decisionId');
    return typeof cited === 'string' && cited !== state['supersedes'] ? [decisionKey(cited)] : [];
  });
}
