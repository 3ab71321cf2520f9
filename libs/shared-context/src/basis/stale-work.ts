import { type JsonObject, isJsonObject } from '#event-sourcing';

import { type RecordedFacts } from '../context.events.js';
import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { type EndedDecision, EndedIndex } from './ended-index.js';

/** Kinds of items that agents produce from what they have read. */
export const workKinds: readonly ItemKind[] = [
  'step-output',
  'decision',
  'artifact',
  'review',
  'record',
  'handover',
];

/** Work whose author had read a version at which the decision `decisionId` was in force; it was superseded later. */
export type StaleWork = Readonly<{
  item: Item;
  /** The version that the author had read. */
  basedOn: number;
  decisionId: string;
  supersededBy: string | null;
}>;

/** The version that the author had read, as a member of the state of an item. */
export function basisOf({ basedOnVersion }: Pick<RecordedFacts, 'basedOnVersion'>): JsonObject {
  return basedOnVersion === undefined ? {} : { basedOn: basedOnVersion };
}

/** The version that the author of an item had read; undefined if the author cited no receipt. */
export function basisIn({ state }: Item): number | undefined {
  const { basedOn } = state;
  return typeof basedOn === 'number' ? basedOn : undefined;
}

/** The decisions among these items that were in force and were superseded. */
export function endedDecisions(items: Iterable<Item>): readonly EndedDecision[] {
  return Array.from(items).flatMap((item) => {
    const { kind, key, state, fromVersion } = item;
    if (kind !== 'decision' || state['status'] !== 'superseded') return [];
    const { supersededBy } = state;
    // Nothing changes a decision after it is superseded, so its newest version is the one that superseded it.
    const span = { decisionId: key, from: liveFrom(item), until: fromVersion };
    return [{ ...span, supersededBy: typeof supersededBy === 'string' ? supersededBy : null }];
  });
}

/**
 * The ended decision on which an item is based, according to the version that its author had read; if there are
 * several, the one that ended last. A decision is not based on a decision that it superseded itself.
 */
export function lostBasis(item: Item, ended: readonly EndedDecision[]): EndedDecision | undefined {
  const basis = basisIn(item);
  if (basis === undefined) return undefined;
  return EndedIndex.of(ended).find(basis, item.kind === 'decision' ? item.key : undefined);
}

/** Work that is based on a decision that is no longer in force, oldest first. */
export function staleWork(items: Iterable<Item>): readonly StaleWork[] {
  const all = [...items];
  const ended = endedDecisions(all);
  if (ended.length === 0) return [];
  return all
    .filter(({ kind }) => workKinds.includes(kind))
    .flatMap((item) => {
      const [lost, basedOn] = [lostBasis(item, ended), basisIn(item)];
      if (!lost || basedOn === undefined) return [];
      return [{ item, basedOn, decisionId: lost.decisionId, supersededBy: lost.supersededBy }];
    })
    .toSorted((left, right) => left.item.fromVersion - right.item.fromVersion);
}

/** The version since which a decision was in force: its approval, if it waited for one. */
function liveFrom({ state, fromVersion }: Item): number {
  const { decided, version } = state;
  const approved = isJsonObject(decided) ? decided['version'] : undefined;
  const since = approved ?? version;
  return typeof since === 'number' ? since : fromVersion;
}
