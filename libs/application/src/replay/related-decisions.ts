import { type Selection } from '#read-models';
import { type Item, citedDecisions } from '#shared-context';

/**
 * Decisions that have to be known beside those that changed, to say which are stale. Anyone may cite one that was
 * superseded; else only what the changed ones cite matters.
 */
export function relatedDecisions(
  before: readonly Item[],
  after: readonly Item[],
): readonly Selection[] {
  if (supersededIn(before) !== supersededIn(after)) return [{ kinds: ['decision'] }];
  const cited = [...before, ...after]
    .filter(({ kind }) => kind === 'decision')
    .flatMap(citedDecisions);
  return cited.length === 0 ? [] : [{ keys: cited, bodies: true }];
}

/** The superseded decisions among these, as one comparable text. */
function supersededIn(items: readonly Item[]): string {
  const superseded = items
    .filter(({ kind, state }) => kind === 'decision' && state['status'] === 'superseded')
    .map(({ key }) => key);
  return JSON.stringify(superseded.sort());
}
