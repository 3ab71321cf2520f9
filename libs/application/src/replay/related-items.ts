import { type Selection } from '#read-models';
import { type Item, type ItemKey, citedDecisions } from '#shared-context';

/**
 * What has to be known beside the items that changed, since the parts of a difference speak of one another: the
 * current state follows from all steps, and whether a decision is stale from those it cites.
 */
export function relatedItems(
  touched: readonly ItemKey[],
  before: readonly Item[],
  after: readonly Item[],
): readonly Selection[] {
  const steps: Selection[] = touched.some(({ kind }) => kind === 'step')
    ? [{ kinds: ['step'] }]
    : [];
  return [...steps, ...relatedDecisions(before, after)];
}

/** Anyone may cite a decision that was superseded; else only what the changed ones cite matters. */
function relatedDecisions(before: readonly Item[], after: readonly Item[]): readonly Selection[] {
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
