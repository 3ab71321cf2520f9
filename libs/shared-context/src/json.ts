import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';

import { Pace, finish } from './pace.js';

/** A parsed payload as JSON. The cast is safe, as the schemas of payloads accept only JSON. */
export function asJson(payload: object): JsonObject {
  return payload as JsonObject;
}

/** The same payload without members that are undefined, which JSON cannot represent. */
export function defined<Data extends object>(payload: Data): Data {
  const members = Object.entries(payload).filter(([, value]) => value !== undefined);
  // Only optional members can be undefined, so the type stays the same without them.
  return members.length === Object.keys(payload).length
    ? payload
    : (Object.fromEntries(members) as Data);
}

/** Reads own members only: `member(o, '__proto__')` never returns the prototype. */
export function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An object without some of its members. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** An object with only some of its members. */
export function only(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** Equal as JSON: the order of object members is ignored. */
export function jsonEquals(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isJsonArray(left) && isJsonArray(right))
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
  return finish(mergePatchInSteps(target, patch));
}

/** Like {@link mergePatch}, but interruptible, as a patch may have very many members. */
export function* mergePatchInSteps(
  target: JsonValue | undefined,
  patch: JsonValue,
  pace = new Pace(),
): Generator<void, JsonValue> {
  if (!isJsonObject(patch)) return patch;
  // Spreading an object takes half the time of copying its entries, which matters for objects with many members.
  const merged: Record<string, JsonValue> = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (pace.isStep()) yield;
    if (value === null) delete merged[name];
    else if (!isJsonObject(value)) setMember(merged, name, value);
    else setMember(merged, name, yield* mergePatchInSteps(member(merged, name), value, pace));
  }
  return merged;
}

/** Whether a merge patch changes a value. Takes time in proportion to the patch, not to the value. */
export function patchChanges(target: JsonValue | undefined, patch: JsonValue): boolean {
  if (!isJsonObject(patch)) return !jsonEquals(target, patch);
  if (!isJsonObject(target)) return true;
  return Object.entries(patch).some(([name, value]) =>
    value === null ? Object.hasOwn(target, name) : patchChanges(member(target, name), value),
  );
}

/** Also sets a member with the name `__proto__`, which is ordinary data here. */
function setMember(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== '__proto__') object[name] = value;
  else
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** One step of an RFC 6901 pointer. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
