import { type JsonObject, type JsonValue } from '#event-sourcing';

import { type Issue } from '../context.errors.js';
import { isJsonObject, jsonEquals, member, pointerStep } from '../json.js';

/** The merge patch (RFC 7396) that makes `sent` of `current`; members that are `null` or gone are removed. */
export function patchBetween(current: JsonObject, sent: JsonObject): JsonObject {
  const removed = Object.keys(current)
    .filter((name) => !Object.hasOwn(sent, name))
    .map((name): [string, JsonValue] => [name, null]);
  const changed = Object.entries(sent).flatMap(([name, value]) =>
    changeOf(name, member(current, name), value),
  );
  return Object.fromEntries([...removed, ...changed]);
}

/** Where a merge patch removes something. */
export function removalsIn(patch: JsonObject, at: string): readonly string[] {
  return Object.entries(patch).flatMap(([name, value]) => {
    const pointer = at + pointerStep(name);
    if (value === null) return [pointer];
    return isJsonObject(value) ? removalsIn(value, pointer) : [];
  });
}

/** Where a part that cannot be written differs; members left out of what was sent do not. */
export function changesIn(
  current: JsonValue | undefined,
  sent: JsonValue,
  at: string,
): readonly Issue[] {
  if (jsonEquals(current, sent)) return [];
  if (!isJsonObject(current) || !isJsonObject(sent))
    return [{ pointer: at, detail: 'cannot be changed by writing the document' }];
  return Object.entries(sent).flatMap(([name, value]) =>
    changesIn(member(current, name), value, at + pointerStep(name)),
  );
}

function changeOf(
  name: string,
  current: JsonValue | undefined,
  sent: JsonValue,
): readonly [string, JsonValue][] {
  if (jsonEquals(current, sent)) return [];
  if (sent === null && current === undefined) return [];
  if (!isJsonObject(current) || !isJsonObject(sent)) return [[name, sent]];
  const patch = patchBetween(current, sent);
  return Object.keys(patch).length === 0 ? [] : [[name, patch]];
}
