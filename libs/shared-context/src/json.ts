import { type JsonObject, type JsonValue } from '#event-sourcing';

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A parsed payload as JSON: what its schema let through is nothing else. */
export function asJson(payload: object): JsonObject {
  return payload as JsonObject;
}

/** The same payload without members that are undefined, which JSON cannot say. */
export function defined<Data extends object>(payload: Data): Data {
  const members = Object.entries(payload).filter(([, value]) => value !== undefined);
  // Optional members may be absent, so what is left is still of the same type.
  return members.length === Object.keys(payload).length
    ? payload
    : (Object.fromEntries(members) as Data);
}

/** Own members only: `member(o, '__proto__')` is data or nothing. */
export function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An object without some of its members. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Equal as JSON: the order of object members says nothing. */
export function jsonEquals(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((value, at) => jsonEquals(value, right[at]));
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && jsonEquals(left[name], right[name]))
  );
}

/** RFC 7396: objects merge by member, `null` removes one, anything else replaces. */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** One step of an RFC 6901 pointer. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
