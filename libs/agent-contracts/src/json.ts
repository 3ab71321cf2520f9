import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';
import { type Spend } from '#expressions';

import { stepsOfText } from './text-steps.js';

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] & JsonValue {
  return Array.isArray(value);
}

/** Reads own members only. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The type name of JSON Schema. */
export function typeOf(
  value: JsonValue,
): 'null' | 'array' | 'object' | 'string' | 'number' | 'boolean' {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  // The other types of JSON are handled above.
  return typeof value as 'object' | 'string' | 'number' | 'boolean';
}

/** The length in code points. */
export function lengthOf(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    // Skips the second half of a surrogate pair.
    if ((text.codePointAt(at) ?? 0) > 0xffff) at++;
    length++;
  }
  return length;
}

/** Equal as JSON: the order of members is ignored. Spends steps in proportion to the compared parts. */
export function equals(left: JsonValue, right: JsonValue, spend: Spend): boolean {
  spend(1);
  if (isList(left) && isList(right))
    return (
      left.length === right.length &&
      left.every((entry, at) => equals(entry, right[at] ?? null, spend))
    );
  if (isJsonObject(left) && isJsonObject(right)) return areEqual(left, right, spend);
  // Comparing texts takes time in proportion to their length.
  if (typeof left === 'string') spend(stepsOfText(left.length));
  return left === right;
}

function areEqual(left: JsonObject, right: JsonObject, spend: Spend): boolean {
  const names = Object.keys(left);
  const count = Object.keys(right).length;
  spend(names.length + count);
  return (
    names.length === count &&
    names.every((name) => {
      const member = memberOf(right, name);
      return member !== undefined && equals(left[name] ?? null, member, spend);
    })
  );
}

/** Whether a value is missing or empty, as in a template that is not filled in. */
export function isBlank(value: JsonValue | undefined, spend: Spend): boolean {
  spend(1);
  if (value === undefined || value === null) return true;
  if (isList(value)) return value.length === 0;
  if (isJsonObject(value)) return countMembers(value, spend) === 0;
  if (typeof value !== 'string') return false;
  spend(stepsOfText(value.length));
  return value.trim() === '';
}

export function countMembers(value: JsonObject, spend: Spend): number {
  const { length } = Object.keys(value);
  spend(length);
  return length;
}

/** The same text for all values that are equal as JSON; members are sorted by name. */
export function canonicalText(value: JsonValue, spend: Spend): string {
  spend(1);
  if (isList(value)) return `[${value.map((entry) => canonicalText(entry, spend)).join()}]`;
  if (isJsonObject(value)) {
    const names = Object.keys(value).toSorted();
    spend(names.length);
    const members = names.map(
      (name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null, spend)}`,
    );
    return `{${members.join()}}`;
  }
  if (typeof value === 'string') spend(stepsOfText(value.length));
  return JSON.stringify(value);
}
