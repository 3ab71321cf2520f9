import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';
import { type Spend } from '#expressions';

import { stepsOfText } from './text-steps.js';

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] & JsonValue {
  return Array.isArray(value);
}

/** Own members only. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** As JSON Schema calls it. */
export function typeOf(
  value: JsonValue,
): 'null' | 'array' | 'object' | 'string' | 'number' | 'boolean' {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  // The other types of JSON are dealt with above.
  return typeof value as 'object' | 'string' | 'number' | 'boolean';
}

/** In code points, as people count. */
export function lengthOf(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    // Behind the first half of a pair stands the second.
    if ((text.codePointAt(at) ?? 0) > 0xffff) at++;
    length++;
  }
  return length;
}

/** Equal as JSON: the order of members says nothing. Costs what has to be compared. */
export function equals(left: JsonValue, right: JsonValue, spend: Spend): boolean {
  spend(1);
  if (isList(left) && isList(right))
    return (
      left.length === right.length &&
      left.every((entry, at) => equals(entry, right[at] ?? null, spend))
    );
  if (isJsonObject(left) && isJsonObject(right)) return areEqual(left, right, spend);
  // Texts of different lengths are not compared.
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

/** Nothing stands there: no value, or one as templates have before they are filled in. */
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

/** One text for all values that are equal as JSON: members in the order of their names. */
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
