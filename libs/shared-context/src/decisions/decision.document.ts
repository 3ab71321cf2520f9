import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type EndedDecision, endedDecisions, lostBasis } from '../basis/stale-work.js';
import { type Item, type ItemKey, type ItemLookup } from '../item.js';
import { isJsonObject, member } from '../json.js';
import { shownVersion } from '../timeline/shown-version.js';
import { decisionFacts, decisionKey, findDecision } from './decision.item.js';

/** The decisions a decision rests on: what {@link renderDecision} looks up to say whether it is stale. */
export function citedDecisions({ body, state }: Item): readonly ItemKey[] {
  const related = isJsonObject(body) ? member(body, 'relatedDecisions') : undefined;
  if (!Array.isArray(related)) return [];
  return related.flatMap((relation: JsonValue) => {
    const cited = isJsonObject(relation) ? member(relation, 'decisionId') : undefined;
    return typeof cited === 'string' && cited !== state['supersedes'] ? [decisionKey(cited)] : [];
  });
}

/**
 * A decision as sent, who made it and when, and what has become of it. `stale`: it rests on a decision that was
 * superseded since, other than by itself: one that it names, or one of the `ended` that its author had read as in force.
 */
export function renderDecision(
  item: Item,
  current: ItemLookup,
  ended: readonly EndedDecision[] = [],
): JsonObject {
  const { status } = decisionFacts(item);
  const stale =
    lostBasis(item, ended) !== undefined ||
    citedDecisions(item).some(({ key }) => findDecision(key, current)?.status === 'superseded');
  return {
    ...(isJsonObject(item.body) ? item.body : {}),
    agentId: item.state['agentId'] ?? null,
    timestamp: item.state['timestamp'] ?? null,
    version: shownVersion(recordedVersion(item)),
    live: status === 'live',
    stale,
    status,
    ...outcome(item),
  };
}

/** Oldest first. */
export function renderDecisions(items: readonly Item[], current: ItemLookup): JsonObject[] {
  const ended = endedDecisions(items);
  return items
    .filter(({ kind }) => kind === 'decision')
    .toSorted((left, right) => recordedVersion(left) - recordedVersion(right))
    .map((item) => renderDecision(item, current, ended));
}

/** The version that recorded the decision, whatever has changed about it since. */
function recordedVersion({ state, fromVersion }: Item): number {
  return typeof state['version'] === 'number' ? state['version'] : fromVersion;
}

function outcome({ state }: Item): JsonObject {
  const { supersededBy, decided } = state;
  return {
    ...(supersededBy === undefined ? {} : { supersededBy }),
    ...(isJsonObject(decided) ? { decided: shownVerdict(decided) } : {}),
  };
}

function shownVerdict(decided: JsonObject): JsonObject {
  const { version } = decided;
  return typeof version === 'number' ? { ...decided, version: shownVersion(version) } : decided;
}
