import { type JsonObject } from '#event-sourcing';

import { type JsonPatch } from './json-patch.js';

/** Sets the changed members of the object at a path, and removes members that no longer exist. */
export function patchObject(
  patch: JsonPatch,
  path: readonly (string | number)[],
  [before, now]: readonly [before: JsonObject, now: JsonObject],
): void {
  for (const [name, value] of Object.entries(now)) {
    const then = Object.hasOwn(before, name) ? before[name] : undefined;
    if (then !== value && JSON.stringify(then) !== JSON.stringify(value))
      patch.set([...path, name], value);
  }
  for (const name of Object.keys(before))
    if (!Object.hasOwn(now, name)) patch.remove([...path, name]);
}
