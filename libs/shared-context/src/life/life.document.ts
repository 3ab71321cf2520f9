import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type DocumentPart } from '../document-part.js';
import { type ItemLookup } from '../item.js';
import { member } from '../json.js';
import { creationKey, lifeKey } from './life.fold.js';

export const lifePart: DocumentPart = {
  members: [
    'title',
    'status',
    'createdAt',
    'createdBy',
    'parent',
    'continues',
    'metadata',
    'workflow',
    'input',
  ],
  kinds: ['life', 'creation'],
  render: (_, { current }) => renderLife(current),
};

/** What creating, closing and reopening say. */
export function renderLife(current: ItemLookup): JsonObject {
  const { state, body } = current(creationKey.kind, creationKey.key) ?? {};
  const said = (name: string, otherwise: JsonValue) => orElse(statedIn(body, name), otherwise);
  return {
    title: said('title', null),
    status: orElse(current(lifeKey.kind, lifeKey.key)?.state['status'], 'open'),
    createdAt: orElse(state?.['createdAt'], null),
    createdBy: orElse(state?.['createdBy'], null),
    parent: said('parent', null),
    continues: said('continues', null),
    metadata: said('metadata', {}),
    workflow: said('workflow', null),
    input: said('input', {}),
  };
}

function statedIn(body: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(body) ? member(body, name) : undefined;
}

/** `null` is a value; only nothing at all is replaced. */
function orElse(value: JsonValue | undefined, otherwise: JsonValue): JsonValue {
  return value === undefined ? otherwise : value;
}
