import { type ItemKind } from './item.js';

/**
 * Kinds of which an event may concern an item and leave it as it is: what was set to what it was, planned again, taken
 * out. Where hidden events are left out it may not be.
 */
const untraced: ReadonlySet<ItemKind> = new Set([
  'global',
  'preference',
  'patched',
  'task',
  'completion',
  'counter',
]);

/** Whether every event that concerns an item of this kind changes it, so that its values tell of all of them. */
export function isTraced(kind: ItemKind): boolean {
  return !untraced.has(kind);
}
