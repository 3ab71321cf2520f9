import { type ItemKind, itemKindDefinitions } from './item-kinds.js';

const tracedKinds: ReadonlySet<ItemKind> = new Set(
  itemKindDefinitions.filter((definition) => definition.isTraced).map(({ kind }) => kind),
);

/** Whether every event that concerns an item of this kind changes it, so that its sources include all of them. */
export function isTraced(kind: ItemKind): boolean {
  return tracedKinds.has(kind);
}
