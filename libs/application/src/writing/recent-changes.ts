import { type ContextSnapshot } from '#read-models';
import { ContextState, type Item, type ItemKey, itemNeedsBody } from '#shared-context';

import { type FinalDraft } from './draft.js';
import { type LoadedKeys } from './loaded-keys.js';

/**
 * The newest change of an item. `item` is undefined if the item was removed, or if its content is not known (`known` is
 * false).
 */
type LatestChange = Readonly<{
  key: ItemKey;
  version: number;
  known: boolean;
  item: Item | undefined;
}>;

/** The newest change of each item, by {@link textOf}. */
export type LatestChanges = Map<string, LatestChange>;

/**
 * The content of an existing item that was not loaded is unknown after a fold. Items whose payload the rules need are
 * not cached either, because payloads may be large.
 */
export function latestChangeOf(
  key: ItemKey,
  version: number,
  isFolded: boolean,
  { state }: FinalDraft,
): LatestChange {
  const known = isFolded && !itemNeedsBody(key.kind);
  const item = known ? state.get(key.kind, key.key) : undefined;
  return { key, version, known, item: item && { ...item, body: undefined } };
}

/** Combines all items of a read snapshot with the changes after it. */
export function mergedChanges(
  changes: LatestChanges,
  { head, state }: ContextSnapshot,
): LatestChanges {
  const merged: LatestChanges = new Map();
  for (const item of state.values()) {
    const { kind, key, fromVersion: version } = item;
    const known = !itemNeedsBody(kind);
    merged.set(textOf(item), {
      key: { kind, key },
      version,
      known,
      item: known ? { ...item, body: undefined } : undefined,
    });
  }
  const reached = head ? head.version : 0;
  for (const [text, change] of changes) if (change.version > reached) merged.set(text, change);
  return merged;
}

/** The changes of these keys. */
export function changesOf(changes: LatestChanges, keys: LoadedKeys): readonly LatestChange[] {
  return keys.all().flatMap((key) => changes.get(textOf(key)) ?? []);
}

/** Applies the changes to the items of the state. */
export function withChanges(state: ContextState, changes: readonly LatestChange[]): ContextState {
  const changed = new Set(changes.map(({ key }) => textOf(key)));
  const items = [...state.values()].filter((item) => !changed.has(textOf(item)));
  return ContextState.from([...items, ...changes.flatMap(({ item }) => item ?? [])]);
}

export function textOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
