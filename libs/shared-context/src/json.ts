import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';

import { Pace, finish } from './pace.js';

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

/** An object with these of its members alone. */
export function only(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** Equal as JSON: the order of object members says nothing. */
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

/** As {@link mergePatch}; a patch may have as many members as a request has room for. */
export function* mergePatchInSteps(
  target: JsonValue | undefined,
  patch: JsonValue,
  pace = new Pace(),
): Generator<void, JsonValue> {
  if (!isJsonObject(patch)) return patch;
  // A copy of an object costs half of what entries do: patches and what they change have many members.
  const merged: Record<string, JsonValue> = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (pace.isStep()) yield;
    if (value === null) delete merged[name];
    else if (!isJsonObject(value)) setMember(merged, name, value);
    else setMember(merged, name, yield* mergePatchInSteps(member(merged, name), value, pace));
  }
  return merged;
}

/** Whether a merge patch makes a value another one. Costs what the patch has, however large the value is. */
export function patchChanges(target: JsonValue | undefined, patch: JsonValue): boolean {
  if (!isJsonObject(patch)) return !jsonEquals(target, patch);
  if (!isJsonObject(target)) return true;
  return Object.entries(patch).some(([name, value]) =>
    value === null ? Object.hasOwn(target, name) : patchChanges(member(target, name), value),
  );
}

/** Also `__proto__`, which is data here. */
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
