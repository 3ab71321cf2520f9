import { type StaleWork, staleWork } from '../basis/stale-work.js';
import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { shownVersion } from '../shown-version.js';

/**
 * Work based on a decision that is no longer in force: its author had read version `basedOn`, at which the decision
 * `decisionId` was in force.
 */
export type LostBasis = Readonly<{
  kind: ItemKind;
  key: string;
  version: number;
  basedOn: number;
  decisionId: string;
  supersededBy: string | null;
}>;

/** Work that has become stale, or is new and stale. Decisions are compared separately. */
export function compareStaleWork(
  before: Iterable<Item>,
  after: Iterable<Item>,
): readonly LostBasis[] {
  const known = new Set(Array.from(otherThanDecisions(before), textOf));
  return otherThanDecisions(after)
    .filter((work) => !known.has(textOf(work)))
    .map(renderStale);
}

/** The entry in the response. */
function renderStale({ item, basedOn, decisionId, supersededBy }: StaleWork): LostBasis {
  const { kind, key, fromVersion } = item;
  const version = shownVersion(fromVersion);
  return { kind, key, version, basedOn: shownVersion(basedOn), decisionId, supersededBy };
}

function otherThanDecisions(items: Iterable<Item>): readonly StaleWork[] {
  return staleWork(items).filter(({ item }) => item.kind !== 'decision');
}

function textOf({ item: { kind, key }, basedOn }: StaleWork): string {
  return JSON.stringify([kind, key, basedOn]);
}
