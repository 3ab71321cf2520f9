import { type JsonValue, isJsonObject } from '#event-sourcing';

/** What an expression works with: JSON, and undefined for what is not there. */
export type Value = JsonValue | undefined;

export function isList(value: Value): value is readonly JsonValue[] & JsonValue {
  return Array.isArray(value);
}

/** As a person would call it. */
export function describe(value: Value): string {
  if (value === undefined) return 'undefined';
  if (value === null) return 'null';
  if (isList(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return { string: 'a text', number: 'a number', boolean: 'a boolean' }[
    // The other types of JSON are dealt with above.
    typeof value as 'string' | 'number' | 'boolean'
  ];
}

/** Own properties of JSON only; undefined for everything else, on whatever it is asked of. */
export function memberOf(value: Value, key: string | number): Value {
  if (typeof value === 'string') return textMember(value, key);
  if (isList(value)) return key === 'length' ? value.length : value[indexOf(key)];
  if (isJsonObject(value) && Object.hasOwn(value, key)) return value[key];
  return undefined;
}

function textMember(text: string, key: string | number): Value {
  return key === 'length' ? text.length : text[indexOf(key)];
}

/** -1 where it is none: nothing is there. */
function indexOf(key: string | number): number {
  const index = typeof key === 'number' ? key : /^(0|[1-9]\d*)$/.test(key) ? Number(key) : -1;
  return Number.isInteger(index) ? index : -1;
}
