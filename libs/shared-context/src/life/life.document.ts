import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type ItemLookup } from '../item.js';
import { isJsonObject, member } from '../json.js';
import { creationKey, lifeKey } from './life.fold.js';

/** What creating, closing and reopening say. */
export function renderLife(current: ItemLookup): JsonObject {
  const creation = current(creationKey.kind, creationKey.key);
  const body = isJsonObject(creation?.body) ? creation.body : {};
  return {
    title: member(body, 'title') ?? null,
    status: current(lifeKey.kind, lifeKey.key)?.state['status'] ?? 'open',
    createdAt: creation?.state['createdAt'] ?? null,
    createdBy: creation?.state['createdBy'] ?? null,
    parent: member(body, 'parent') ?? null,
    continues: member(body, 'continues') ?? null,
    metadata: member(body, 'metadata') ?? {},
    workflow: member(body, 'workflow') ?? null,
    input: inputOf(body),
  };
}

/** What the work was estimated at, beside what it took. */
export function renderMetrics(current: ItemLookup): JsonObject {
  const creation = current(creationKey.kind, creationKey.key);
  const estimates = isJsonObject(creation?.body) ? member(creation.body, 'estimates') : undefined;
  return estimates === undefined ? {} : { estimates };
}

/** `null` is an input; none at all is empty. */
function inputOf(body: JsonObject): JsonValue {
  const input = member(body, 'input');
  return input === undefined ? {} : input;
}
