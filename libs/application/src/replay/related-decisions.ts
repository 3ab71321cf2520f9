import { type Selection } from '#read-models';
import { type Item, basisIn, citedDecisions, workKinds } from '#shared-context';

const otherWork = workKinds.filter((kind) => kind !== 'decision');

/**
 * What has to be known beside what changed, to say which decisions and what work are stale. Anyone may cite a decision
 * that was superseded, or have read it as in force; else only what the changed ones cite and have read matters.
 */
export function relatedDecisions(
  before: readonly Item[],
  after: readonly Item[],
): readonly Selection[] {
  if (supersededIn(before) !== supersededIn(after))
    return [{ kinds: ['decision'] }, { kinds: otherWork, bodies: false }];
  const changed = [...before, ...after];
  if (changed.some((item) => basisIn(item) !== undefined)) return [{ kinds: ['decision'] }];
  const cited = changed.filter(({ kind }) => kind === 'decision').flatMap(citedDecisions);
  return cited.length === 0 ? [] : [{ keys: cited, bodies: true }];
}

/** The superseded decisions among these, as one comparable text. */
function supersededIn(items: readonly Item[]): string {
  const superseded = items
    .filter(({ kind, state }) => kind === 'decision' && state['status'] === 'superseded')
    .map(({ key }) => key);
  return JSON.stringify(superseded.sort());
}
