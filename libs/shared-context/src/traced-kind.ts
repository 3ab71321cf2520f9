import { type ItemKind } from './item.js';

/**
 * Of other kinds an event may concern an item and leave it as it is: what was set to what it was, planned, addressed or
 * acknowledged again, taken out. Where hidden events are left out it may not be.
 */
const traced: ReadonlySet<ItemKind> = new Set([
  'life',
  'creation',
  'step',
  'step-output',
  'step-failure',
  'output',
  'output-value',
  'decision',
  'artifact',
  'requirement',
  'newest-review',
  'newest-signal',
  'provided',
]);

/** Whether every event that concerns an item of this kind changes it, so that its sources include all of them. */
export function isTraced(kind: ItemKind): boolean {
  return traced.has(kind);
}
