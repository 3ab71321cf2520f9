import { type JsonObject } from '#event-sourcing';
import { type EventData } from '#shared-context';

import { contextIdOf } from '../documents/context-id.js';
import { itemRef } from '../documents/item-ref.js';
import { type JsonDraft } from './json-draft.js';
import { type JsonPart } from './json-part.js';

/** The id of the context in a document. `stated`: the id in the document as metadata, if no context can have it. */
export function readId(
  draft: JsonDraft,
  part: JsonPart | undefined,
  name: string,
): Readonly<{ contextId: string; stated: JsonObject }> {
  const id = part?.value();
  const contextId = contextIdOf(typeof id === 'string' ? id : '', 'context');
  if (part) draft.claim(part, [itemRef('creation', '')]);
  if (!part || id === undefined || id === contextId) return { contextId, stated: {} };
  draft.note(part, 'changed', `no context can have this id: it becomes "${contextId}"`);
  return { contextId, stated: { [name]: id } };
}

export function creationOf(
  title: string | undefined,
  metadata: JsonObject,
): EventData<'ContextCreated'> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}
