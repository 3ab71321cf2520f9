import { type JsonObject, type JsonValue } from '#event-sourcing';

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] & JsonValue {
  return Array.isArray(value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own members only. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
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
  return Array.from(text).length;
}

/** Equal as JSON: the order of members says nothing. */
export function equals(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((entry, at) => equals(entry, right[at]));
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equals(left[name], right[name]))
  );
}

/** Nothing stands there: no value, or one as templates have before they are filled in. */
export function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.keys(value).length === 0;
}
