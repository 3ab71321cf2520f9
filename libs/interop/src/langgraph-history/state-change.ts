import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';

/**
 * The change from one state to another: `changed` replaces members, `appended` adds elements at the end of lists, and
 * `removed` names members that no longer exist. Unchanged members are in none of them.
 */
export type StateChange = Readonly<{
  changed: JsonObject;
  appended: JsonObject;
  removed: readonly string[];
}>;

/** Takes time and space in proportion to both states. */
export function changeBetween(before: JsonObject, now: JsonObject): StateChange {
  const changed: [string, JsonValue][] = [];
  const appended: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(now)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (old !== undefined && isSame(old, value)) continue;
    const added = addedTo(old, value);
    if (added) appended.push([name, added]);
    else changed.push([name, value]);
  }
  return {
    changed: Object.fromEntries(changed),
    appended: Object.fromEntries(appended),
    removed: Object.keys(before).filter((name) => !Object.hasOwn(now, name)),
  };
}

/** Applies a change to the state before it. */
export function applyChange(before: JsonObject, change: StateChange): JsonObject {
  const retained = Object.entries(before).filter(([name]) => !change.removed.includes(name));
  const longer = Object.entries(change.appended).map(([name, added]): [string, JsonValue] => [
    name,
    [...listOf(before[name]), ...listOf(added)],
  ]);
  return Object.fromEntries([...retained, ...longer, ...Object.entries(change.changed)]);
}

/** The elements of a list after those of an earlier one; undefined if it does not begin with all of them. */
function addedTo(old: JsonValue | undefined, now: JsonValue): readonly JsonValue[] | undefined {
  if (!Array.isArray(old) || !Array.isArray(now)) return undefined;
  if (old.length === 0 || old.length > now.length) return undefined;
  const [before, after] = [listOf(old), listOf(now)];
  const isPrefix = before.every((element, at) => isSame(element, after[at]));
  return isPrefix ? after.slice(before.length) : undefined;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

/** Members in another order count as a change: this costs space, but is correct. */
function isSame(left: JsonValue, right: JsonValue | undefined): boolean {
  return left === right || (!isScalar(left) && JSON.stringify(left) === JSON.stringify(right));
}

function isScalar(value: JsonValue): boolean {
  return !Array.isArray(value) && !isJsonObject(value);
}
