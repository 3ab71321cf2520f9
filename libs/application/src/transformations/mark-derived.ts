import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';
import { type Item, type ItemKey, withFacts } from '#shared-context';
import { type TransformationSet } from '#transformations';

/**
 * Marks derived values of a document with `active: false` if no transformation derives them any more: it was deactivated, has
 * other destinations now, or is unknown in this workspace.
 */
export function markDerived(derived: JsonObject, transformations: TransformationSet): JsonObject {
  return Object.fromEntries(
    Object.entries(derived).map(([path, entry]): [string, JsonValue] => {
      if (!isJsonObject(entry)) return [path, entry];
      return isActive(path, entry['transformation'], transformations)
        ? [path, entry]
        : [path, { ...entry, active: false }];
    }),
  );
}

/** The sorted paths that {@link markDerived} marks, from items with or without bodies. */
export function inactivePaths(
  items: Iterable<Item>,
  transformations: TransformationSet,
): readonly string[] {
  return [...items]
    .filter((item) => isDerived(item) && !isItemActive(item, transformations))
    .map(({ key }) => key)
    .toSorted();
}

export function isDerived({ kind }: ItemKey): boolean {
  return kind === 'derived';
}

/** Marks an item for views: a derived value that {@link markDerived} marks gets `active: false` in its state. */
export function markItem(item: Item, transformations: TransformationSet): Item {
  if (!isDerived(item)) return item;
  const { active, ...state } = item.state;
  const isMarked = active === false;
  const isInactive = !isItemActive(item, transformations);
  if (isMarked === isInactive) return item;
  return withFacts(item, { state: isInactive ? { ...state, active: false } : state });
}

function isItemActive({ key, state }: Item, transformations: TransformationSet): boolean {
  return isActive(key, state['transformation'], transformations);
}

function isActive(path: string, by: JsonValue | undefined, set: TransformationSet): boolean {
  return typeof by === 'string' && set.derives(path, by);
}

/** The sorted paths that are marked in a document. */
export function markedPaths({ derived }: JsonObject): readonly string[] {
  if (!isJsonObject(derived)) return [];
  return Object.entries(derived)
    .filter(([, entry]) => isJsonObject(entry) && entry['active'] === false)
    .map(([path]) => path)
    .toSorted();
}

/** Removes the marks from a document: they depend on the current transformations, so that two copies may differ in them. */
export function withoutMarks(document: JsonObject): JsonObject {
  const { derived } = document;
  if (!isJsonObject(derived)) return document;
  const unmarked = Object.entries(derived).map(([path, entry]): [string, JsonValue] => {
    if (!isJsonObject(entry) || entry['active'] !== false) return [path, entry];
    return [path, Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'active'))];
  });
  return { ...document, derived: Object.fromEntries(unmarked) };
}
