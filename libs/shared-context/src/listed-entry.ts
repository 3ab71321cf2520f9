import { type JsonObject, isJsonObject } from '#event-sourcing';

import { type RecordedFacts, authorOf, happenedAt } from './context.events.js';
import { type Item } from './item.js';
import { type ItemKind } from './item-kinds.js';
import { shownVersion } from './shown-version.js';

/** The author and the time of an event, as members of an item's state. */
export function authorship(
  event: Pick<RecordedFacts, 'origin' | 'principal' | 'recordedAt'>,
): JsonObject {
  return { agentId: authorOf(event), timestamp: happenedAt(event) };
}

/** The payload as sent, with its author, time and version. */
export function renderEntry(item: Item): JsonObject {
  const { body, state } = item;
  return {
    ...(isJsonObject(body) ? body : {}),
    agentId: state['agentId'] ?? null,
    timestamp: state['timestamp'] ?? null,
    version: shownVersion(versionOf(item)),
  };
}

/** The items of a kind in the order in which they were first recorded; `place` orders the items of one event. */
export function oldestFirst(kind: ItemKind, items: readonly Item[]): readonly Item[] {
  return items
    .filter((item) => item.kind === kind)
    .toSorted(
      (left, right) => firstVersion(left) - firstVersion(right) || place(left) - place(right),
    );
}

/** The version that recorded the item; `fromVersion` is the version of its latest change. */
function versionOf({ state, fromVersion }: Item): number {
  return typeof state['version'] === 'number' ? state['version'] : fromVersion;
}

/** The version of the first revision. */
function firstVersion(item: Item): number {
  const first = item.state['firstVersion'];
  return typeof first === 'number' ? first : versionOf(item);
}

function place({ state }: Item): number {
  return typeof state['place'] === 'number' ? state['place'] : 0;
}
