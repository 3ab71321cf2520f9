import { type JsonObject, isJsonObject } from '#event-sourcing';

import { type RecordedFacts, authorOf, happenedAt } from './context.events.js';
import { type Item } from './item.js';
import { type ItemKind } from './item-kinds.js';
import { shownVersion } from './shown-version.js';

/** Whose an entry of a list is, and since when: part of its item's state. */
export function authorship(
  event: Pick<RecordedFacts, 'origin' | 'principal' | 'recordedAt'>,
): JsonObject {
  return { agentId: authorOf(event), timestamp: happenedAt(event) };
}

/** The payload as sent, who stated it, when, and the version that did. */
export function renderEntry(item: Item): JsonObject {
  const { body, state } = item;
  return {
    ...(isJsonObject(body) ? body : {}),
    agentId: state['agentId'] ?? null,
    timestamp: state['timestamp'] ?? null,
    version: shownVersion(versionOf(item)),
  };
}

/** The items of a kind in the order in which they were first stated; `place` orders those of one event. */
export function oldestFirst(kind: ItemKind, items: readonly Item[]): readonly Item[] {
  return items
    .filter((item) => item.kind === kind)
    .toSorted(
      (left, right) => firstVersion(left) - firstVersion(right) || place(left) - place(right),
    );
}

/** The version that stated it, whatever has changed about it since. */
function versionOf({ state, fromVersion }: Item): number {
  return typeof state['version'] === 'number' ? state['version'] : fromVersion;
}

/** The version that stated it first, where it is stated again as a new revision. */
function firstVersion(item: Item): number {
  const first = item.state['firstVersion'];
  return typeof first === 'number' ? first : versionOf(item);
}

function place({ state }: Item): number {
  return typeof state['place'] === 'number' ? state['place'] : 0;
}
