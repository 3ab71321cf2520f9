import { type JsonObject, isJsonObject } from '#event-sourcing';

import { type StalePath, Staleness } from '../basis/staleness.js';
import { listSchema, memberPart } from '../document-part.js';
import { type Item } from '../item.js';
import { shownVersion } from '../shown-version.js';
import { decisionFacts } from './decision.item.js';

export const decisionsPart = memberPart('decisionHistory', {
  schema: listSchema.meta({ description: 'Every decision, oldest first' }),
  searched: { shape: 'list', except: ['stale', 'stalePath', 'stalePathLength'] },
  kinds: ['decision'],
  render: (items) => renderDecisions(items),
});

/**
 * A decision as sent, with its author, time and status. `stale`: it depends on a decision that was superseded by
 * another one. `stalePath` leads from the decision that it cites, or that its author had read, to the superseded one. A
 * long path is shortened to the ids at its ends, and `stalePathLength` is its length.
 */
export function renderDecision(item: Item, staleness: Staleness): JsonObject {
  const { status } = decisionFacts(item);
  const path = staleness.pathOf(item);
  return {
    ...(isJsonObject(item.body) ? item.body : {}),
    agentId: item.state['agentId'] ?? null,
    timestamp: item.state['timestamp'] ?? null,
    version: shownVersion(recordedVersion(item)),
    live: status === 'live',
    stale: path !== undefined,
    ...(path && renderPath(path)),
    status,
    ...outcome(item),
  };
}

/** Oldest first. */
export function renderDecisions(items: readonly Item[]): JsonObject[] {
  const staleness = Staleness.of(items);
  return items
    .filter(({ kind }) => kind === 'decision')
    .toSorted((left, right) => recordedVersion(left) - recordedVersion(right))
    .map((item) => renderDecision(item, staleness));
}

function renderPath({ decisionIds, length }: StalePath): JsonObject {
  const isShortened = decisionIds.length < length;
  return { stalePath: decisionIds, ...(isShortened && { stalePathLength: length }) };
}

/** The version that recorded the decision; `fromVersion` is the version of its latest change. */
function recordedVersion({ state, fromVersion }: Item): number {
  return typeof state['version'] === 'number' ? state['version'] : fromVersion;
}

function outcome({ state }: Item): JsonObject {
  const { supersededBy, decided } = state;
  return {
    ...(supersededBy === undefined ? {} : { supersededBy }),
    ...(isJsonObject(decided) ? { decided: renderVerdict(decided) } : {}),
  };
}

function renderVerdict(decided: JsonObject): JsonObject {
  const { version } = decided;
  return typeof version === 'number' ? { ...decided, version: shownVersion(version) } : decided;
}
