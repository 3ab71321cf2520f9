import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';
import { type Item, bodyReaderOf } from '#shared-context';

import { memberOf } from './json-member.js';
import { inHeading, inputOf } from './section.js';

export function bodyOf({ body }: Item): JsonObject {
  return isJsonObject(body) ? body : {};
}

/** The maximum characters of JSON of a lazy item's related decisions that stay in memory; their number has no limit. */
const longestRelated = 2_048;

/**
 * The members that determine the status of an item. If its body is not in memory, a copy with a small part of the body.
 */
export function outlineOf(item: Item): Item {
  if (!bodyReaderOf(item)) return item;
  const { kind, key, fromVersion, state, sources } = item;
  return { kind, key, fromVersion, state, sources, body: statusMembers(item) };
}

function statusMembers(item: Item): JsonObject {
  const body = bodyOf(item);
  const headingMembers = inHeading.get(item.kind) ?? [];
  const members = Object.fromEntries(
    Object.entries(body).filter(([name]) => headingMembers.includes(name)),
  );
  const related = memberOf(body, 'relatedDecisions');
  if (related === undefined) return members;
  if (JSON.stringify(related).length <= longestRelated)
    return { ...members, relatedDecisions: related };
  return {
    ...members,
    get relatedDecisions() {
      return memberOf(item.body, 'relatedDecisions') ?? [];
    },
  };
}

/** The members that the heading does not show, and the value of digests. */
export function payloadOf(item: Item): Readonly<{ members: JsonObject; value: JsonValue }> {
  if (item.kind === 'creation') {
    const input = inputOf(item) ?? null;
    return { members: { input }, value: input };
  }
  const body = bodyOf(item);
  const headingMembers = inHeading.get(item.kind) ?? [];
  const members = Object.fromEntries(
    Object.entries(body).filter(([name]) => !headingMembers.includes(name)),
  );
  return { members, value: item.kind === 'step-output' ? (body['output'] ?? null) : members };
}
