import { type Selection, type TracedItems } from '#read-models';
import {
  type ContextState,
  type Item,
  type ItemKey,
  type ItemKind,
  isTraced,
  patchersKey,
} from '#shared-context';

import { type VisibilityFilter } from './visibility-filter.js';

const stepKinds: ReadonlySet<ItemKind> = new Set(['step', 'step-output']);

/**
 * Adds to a selection the items that decide about the visibility of others: failures of steps, and the record of which events
 * have patched the preferences and the global context.
 */
export function withDecidingItems(filter: VisibilityFilter, selection: Selection): Selection {
  if ('keys' in selection) {
    const keys = [...selection.keys, ...selection.keys.flatMap((key) => decidingKeys(filter, key))];
    return { ...selection, keys: distinct(keys) };
  }
  const { kinds } = selection;
  const isPatched = kinds.includes('global') || kinds.includes('preference');
  const decidingKinds: readonly ItemKind[] = [
    ...(filter.dependsOnFailures ? ['step-failure' as const] : []),
    ...(isPatched ? ['patched' as const] : []),
  ];
  return { ...selection, kinds: [...new Set([...kinds, ...decidingKinds])] };
}

export function selects(selection: Selection): (item: ItemKey) => boolean {
  if ('kinds' in selection) return ({ kind }) => selection.kinds.includes(kind);
  const names = new Set(selection.keys.map(uniqueName));
  return (item) => names.has(uniqueName(item));
}

/**
 * The items of the mixed kinds to fold again. If the selection names items and their events can be found by key, only the
 * named items; otherwise all items of these kinds.
 */
export function itemsToFold(
  filter: VisibilityFilter,
  mixed: ReadonlySet<ItemKind>,
  { selection, state }: Readonly<{ selection: Selection; state: ContextState }>,
): TracedItems {
  const named = 'keys' in selection ? selection.keys : [];
  const items = named
    .filter(({ kind }) => mixed.has(kind))
    .flatMap(({ kind, key }) => state.get(kind, key) ?? []);
  const areKnown = items.every(({ sources }) => sources !== undefined || !filter.dependsOnFailures);
  if (items.length > 0 && [...mixed].every(isTraced) && areKnown)
    return { keys: distinct([...items, ...(filter.dependsOnFailures ? failureKeys(items) : [])]) };
  return { kinds: filter.dependsOnFailures ? [...mixed, 'step-failure'] : [...mixed] };
}

/** Whether the events that concern these items can be found by the keys of the items. */
export function areTraced(items: TracedItems): boolean {
  const kinds = 'kinds' in items ? items.kinds : items.keys.map(({ kind }) => kind);
  return kinds.every(isTraced);
}

/** The steps of the events that have changed an item. */
export function stepsOf({ sources = [] }: Item): readonly string[] {
  return sources.flatMap(({ step }) => step ?? []);
}

function failureKeys(items: readonly Item[]): readonly ItemKey[] {
  return items.flatMap(stepsOf).map((key) => ({ kind: 'step-failure', key }));
}

function decidingKeys(filter: VisibilityFilter, { kind, key }: ItemKey): readonly ItemKey[] {
  if (kind === 'global' || kind === 'preference') return [patchersKey(kind)];
  return filter.dependsOnFailures && stepKinds.has(kind) ? [{ kind: 'step-failure', key }] : [];
}

function distinct(keys: readonly ItemKey[]): readonly ItemKey[] {
  const byName = new Map(keys.map(({ kind, key }) => [uniqueName({ kind, key }), { kind, key }]));
  return [...byName.values()];
}

/** Unique, because kinds contain no space. */
function uniqueName({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
