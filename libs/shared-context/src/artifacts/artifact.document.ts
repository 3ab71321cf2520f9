import { type JsonObject, isJsonObject } from '#event-sourcing';

import { listSchema, memberPart } from '../document-part.js';
import { type Item } from '../item.js';
import { shownVersion } from '../shown-version.js';

export const artifactsPart = memberPart('artifactReferences', {
  schema: listSchema,
  searched: { shape: 'list' },
  kinds: ['artifact'],
  render: renderArtifacts,
});

/** The latest reference to an artifact, with its author, time and revision number. */
export function renderArtifact({ body, state, fromVersion }: Item): JsonObject {
  return {
    ...(isJsonObject(body) ? body : {}),
    agentId: state['agentId'] ?? null,
    timestamp: state['timestamp'] ?? null,
    version: shownVersion(fromVersion),
    revision: state['revision'] ?? null,
  };
}

/** In the order they were first referenced. */
export function renderArtifacts(items: readonly Item[]): JsonObject[] {
  return items
    .filter(({ kind }) => kind === 'artifact')
    .toSorted((left, right) => firstVersion(left) - firstVersion(right))
    .map(renderArtifact);
}

/** The version that referenced the artifact first. */
function firstVersion({ state, fromVersion }: Item): number {
  return typeof state['firstVersion'] === 'number' ? state['firstVersion'] : fromVersion;
}
