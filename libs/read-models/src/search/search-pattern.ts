import { type JsonObject, type JsonValue, isJsonArray } from '#event-sourcing';
import { type SearchedMember } from '#shared-context';

import { searchedMember } from './searched-members.js';

/** Part of a pattern that no search answers. */
export class UnsearchedMemberError extends Error {
  override readonly name = 'UnsearchedMemberError';

  constructor(readonly member: string) {
    super(`"${member}" is not searched`);
  }
}

/**
 * A pattern in the document's shape as patterns that one item's part each must contain: the context contains the whole
 * where for each of them it has such an item. Throws {@link UnsearchedMemberError}.
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

/** What is of another type than the member stays whole, and nothing contains it. */
function entriesOf(name: string, value: JsonValue, member: SearchedMember): JsonObject[] {
  const { shape, lists = [] } = member;
  const within = (part: JsonValue): JsonObject => Object.fromEntries([[name, part]]);
  if (shape === 'list') return listed(value, member).map(within);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [within(value)];
  return Object.entries(value).flatMap(([key, entry]) => {
    const parts = lists.includes(key) ? listed(entry, member) : [asked(entry, member)];
    return parts.map((part) => within(Object.fromEntries([[key, part]])));
  });
}

/** A list contains nothing but lists, and the empty one always. */
function listed(value: JsonValue, member: SearchedMember): JsonValue[] {
  return isJsonArray(value) ? value.map((entry) => [asked(entry, member)]) : [value];
}

function asked(entry: JsonValue, { except = [] }: SearchedMember): JsonValue {
  const foreign =
    typeof entry === 'object' && entry !== null
      ? except.find((name) => Object.hasOwn(entry, name))
      : undefined;
  if (foreign !== undefined) throw new UnsearchedMemberError(foreign);
  return entry;
}
