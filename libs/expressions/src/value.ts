import { type JsonValue, isJsonObject } from '#event-sourcing';

/** A value in an expression: JSON, or undefined if it is missing. */
export type Value = JsonValue | undefined;

export function isList(value: Value): value is readonly JsonValue[] & JsonValue {
  return Array.isArray(value);
}

/** Describes the type of a value for people. */
export function describe(value: Value): string {
  if (value === undefined) return 'undefined';
  if (value === null) return 'null';
  if (isList(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return { string: 'a text', number: 'a number', boolean: 'a boolean' }[
    // The other types of JSON are handled above.
    typeof value as 'string' | 'number' | 'boolean'
  ];
}

/** Reads own members of JSON values only; undefined for everything else. */
export function memberOf(value: Value, key: string | number): Value {
  if (typeof value === 'string') return textMember(value, key);
  if (isList(value)) return key === 'length' ? value.length : value[indexOf(key)];
  if (isJsonObject(value) && Object.hasOwn(value, key)) return value[key];
  return undefined;
}

function textMember(text: string, key: string | number): Value {
  return key === 'length' ? text.length : text[indexOf(key)];
}

/** The list index that a key denotes; -1, an index without an element, if it denotes none. */
function indexOf(key: string | number): number {
  const index = typeof key === 'number' ? key : /^(0|[1-9]\d*)$/.test(key) ? Number(key) : -1;
  return Number.isInteger(index) ? index : -1;
}
