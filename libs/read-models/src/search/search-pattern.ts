import { type JsonObject, type JsonValue, isJsonArray } from '#event-sourcing';
import { type SearchedMember } from '#shared-context';

import { searchedMember } from './searched-members.js';

/** A pattern names a member that is not searched. */
export class UnsearchedMemberError extends Error {
  override readonly name = 'UnsearchedMemberError';

  constructor(readonly member: string) {
    super(`"${member}" is not searched`);
  }
}

/**
 * Splits a pattern in the document's shape into patterns for single items: the context matches if it has a matching
 * item for each of them. Throws {@link UnsearchedMemberError}.
 */
export function splitPattern(pattern: JsonObject): readonly JsonObject[] {
  const whole: [string, JsonValue][] = [];
  const parts: JsonObject[] = [];
  const life: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(pattern)) {
    const member = searchedMember(name);
    if (!member) throw new UnsearchedMemberError(name);
    if (member.shape === 'creation') whole.push([name, value]);
    else if (member.shape === 'life') life.push([name, value]);
    else parts.push(...entriesOf(name, value, member));
  }
  return [...joined(whole), ...joined(life), ...parts];
}

function joined(members: readonly [string, JsonValue][]): JsonObject[] {
  return members.length > 0 ? [Object.fromEntries(members)] : [];
}

/** A value of another type than the member is returned as a whole; no item contains it. */
function entriesOf(name: string, value: JsonValue, member: SearchedMember): JsonObject[] {
  const { shape, lists = [] } = member;
  const within = (part: JsonValue): JsonObject => Object.fromEntries([[name, part]]);
  if (shape === 'list') return listed(value, member).map(within);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [within(value)];
  return Object.entries(value).flatMap(([key, entry]) => {
    const parts = lists.includes(key) ? listed(entry, member) : [checked(entry, member)];
    return parts.map((part) => within(Object.fromEntries([[key, part]])));
  });
}

/** A list pattern matches only lists; an empty one matches every list. */
function listed(value: JsonValue, member: SearchedMember): JsonValue[] {
  return isJsonArray(value) ? value.map((entry) => [checked(entry, member)]) : [value];
}

function checked(entry: JsonValue, { except = [] }: SearchedMember): JsonValue {
  const excluded =
    typeof entry === 'object' && entry !== null
      ? except.find((name) => Object.hasOwn(entry, name))
      : undefined;
  if (excluded !== undefined) throw new UnsearchedMemberError(excluded);
  return entry;
}
