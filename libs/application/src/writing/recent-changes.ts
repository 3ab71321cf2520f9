import { type ContextSnapshot } from '#read-models';
import { ContextState, type Item, type ItemKey, itemNeedsBody } from '#shared-context';

import { type FinalDraft } from './draft.js';
import { type LoadedKeys } from './loaded-keys.js';

/** What a change left: the item, nothing where it is gone, or something that this process does not know. */
type LatestChange = Readonly<{
  key: ItemKey;
  version: number;
  known: boolean;
  item: Item | undefined;
}>;

/** The newest change of each item, by {@link textOf}. */
export type LatestChanges = Map<string, LatestChange>;

/**
 * An item that existed and was not loaded was folded over nothing: what it is like is not known. Items whose payload rules
 * look at are not remembered either: payloads may be large.
 */
export function leftOf(
  key: ItemKey,
  version: number,
  isFolded: boolean,
  { state }: FinalDraft,
): LatestChange {
  const known = isFolded && !itemNeedsBody(key.kind);
  const item = known ? state.get(key.kind, key.key) : undefined;
  return { key, version, known, item: item && { ...item, body: undefined } };
}

/** What all items were like when they were read, and the changes since. */
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

/** Those of the items that the keys name. */
export function changesOf(changes: LatestChanges, keys: LoadedKeys): readonly LatestChange[] {
  return keys.all().flatMap((key) => changes.get(textOf(key)) ?? []);
}

/** The items of the state, with these changes made. */
export function withChanges(state: ContextState, changes: readonly LatestChange[]): ContextState {
  const changed = new Set(changes.map(({ key }) => textOf(key)));
  const items = [...state.values()].filter((item) => !changed.has(textOf(item)));
  return ContextState.from([...items, ...changes.flatMap(({ item }) => item ?? [])]);
}

export function textOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
