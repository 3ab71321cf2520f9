import { type JsonObject, type JsonValue } from '#event-sourcing';

/** A value with another put into it at a path; what stands in the way of the path is replaced by an object. */
export function withValueAt(
  value: JsonValue | undefined,
  [name, ...rest]: readonly string[],
  put: JsonValue,
): JsonValue {
  if (name === undefined) return put;
  const object: JsonObject = isObject(value) ? value : {};
  const inner = Object.hasOwn(object, name) ? object[name] : undefined;
  return { ...object, [name]: withValueAt(inner, rest, put) };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
