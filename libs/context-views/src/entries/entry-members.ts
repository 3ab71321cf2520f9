import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';
import { type Item, bodyReaderOf } from '#shared-context';

import { memberOf } from './json-member.js';
import { inHeading, inputOf } from './section.js';

export function bodyOf({ body }: Item): JsonObject {
  return isJsonObject(body) ? body : {};
}

/** Characters of JSON of the decisions that a lazy item rests on, up to which they stay in memory: they have no limit. */
const longestRelated = 2_048;

/** What of an item says how it stands: of an item whose body is not in memory, a copy with a small part of its body. */
export function outlineOf(item: Item): Item {
  if (!bodyReaderOf(item)) return item;
  const { kind, key, fromVersion, state, sources } = item;
  return { kind, key, fromVersion, state, sources, body: standingMembers(item) };
}

function standingMembers(item: Item): JsonObject {
  const body = bodyOf(item);
  const inWords = inHeading.get(item.kind) ?? [];
  const members = Object.fromEntries(
    Object.entries(body).filter(([name]) => inWords.includes(name)),
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

/** What the heading does not say, and what digests are made of. */
export function payloadOf(item: Item): Readonly<{ members: JsonObject; value: JsonValue }> {
  if (item.kind === 'creation') {
    const input = inputOf(item) ?? null;
    return { members: { input }, value: input };
  }
  const body = bodyOf(item);
  const inWords = inHeading.get(item.kind) ?? [];
  const members = Object.fromEntries(
    Object.entries(body).filter(([name]) => !inWords.includes(name)),
  );
  return { members, value: item.kind === 'step-output' ? (body['output'] ?? null) : members };
}
