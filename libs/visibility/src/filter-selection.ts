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
 * A selection with the items that say what an audience sees of the others: whether a step has failed, and who has
 * patched preferences and global context, from which members may be gone.
 */
export function withWitnesses(filter: VisibilityFilter, selection: Selection): Selection {
  if ('keys' in selection) {
    const keys = [...selection.keys, ...selection.keys.flatMap((key) => witnessKeys(filter, key))];
    return { ...selection, keys: distinct(keys) };
  }
  const { kinds } = selection;
  const isPatched = kinds.includes('global') || kinds.includes('preference');
  const witnesses: readonly ItemKind[] = [
    ...(filter.asksForFailures ? ['step-failure' as const] : []),
    ...(isPatched ? ['patched' as const] : []),
  ];
  return { ...selection, kinds: [...new Set([...kinds, ...witnesses])] };
}

export function selects(selection: Selection): (item: ItemKey) => boolean {
  if ('kinds' in selection) return ({ kind }) => selection.kinds.includes(kind);
  const names = new Set(selection.keys.map(nameOf));
  return (item) => names.has(nameOf(item));
}

/**
 * What has to be folded again for items of the mixed kinds: of a selection by name those named, where the events that
 * concern them are known by the items; else all items of these kinds.
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
  const areKnown = items.every(({ sources }) => sources !== undefined || !filter.asksForFailures);
  if (items.length > 0 && [...mixed].every(isTraced) && areKnown)
    return { keys: distinct([...items, ...(filter.asksForFailures ? failureKeys(items) : [])]) };
  return { kinds: filter.asksForFailures ? [...mixed, 'step-failure'] : [...mixed] };
}

/** Whether every event that concerns one of these items has changed it. */
export function areTraced(items: TracedItems): boolean {
  const kinds = 'kinds' in items ? items.kinds : items.keys.map(({ kind }) => kind);
  return kinds.every(isTraced);
}

/** The steps that the events which have made an item were of. */
export function stepsOf({ sources = [] }: Item): readonly string[] {
  return sources.flatMap(({ step }) => step ?? []);
}

function failureKeys(items: readonly Item[]): readonly ItemKey[] {
  return items.flatMap(stepsOf).map((key) => ({ kind: 'step-failure', key }));
}

function witnessKeys(filter: VisibilityFilter, { kind, key }: ItemKey): readonly ItemKey[] {
  if (kind === 'global' || kind === 'preference') return [patchersKey(kind)];
  return filter.asksForFailures && stepKinds.has(kind) ? [{ kind: 'step-failure', key }] : [];
}

function distinct(keys: readonly ItemKey[]): readonly ItemKey[] {
  const byName = new Map(keys.map(({ kind, key }) => [nameOf({ kind, key }), { kind, key }]));
  return [...byName.values()];
}

/** Kinds hold no space. */
function nameOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
