import { type JsonObject, isJsonObject } from '#event-sourcing';

/** The merge patch (RFC 7396) that makes `after` of `before`; empty if they are the same. */
export function patchBetween(before: JsonObject, after: JsonObject): JsonObject {
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(value)) return [];
    const isNested = isJsonObject(known) && isJsonObject(value);
    return [[name, isNested ? patchBetween(known, value) : value] as const];
  });
  return Object.fromEntries([...removed.map((name) => [name, null] as const), ...changed]);
}
