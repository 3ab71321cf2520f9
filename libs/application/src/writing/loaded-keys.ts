import { type ContextCommand, type ItemKey, Pace, requiredKeys } from '#shared-context';
import { type Steps } from '#slices';

import { type Draft } from './draft.js';

/** The keys with which a snapshot was loaded. */
export class LoadedKeys {
  readonly #keys = new Map<string, ItemKey>();

  add(keys: readonly ItemKey[]): this {
    for (const key of keys) this.#keys.set(`${key.kind} ${key.key}`, key);
    return this;
  }

  /** As {@link add}, in steps, because a patch may name as many keys as fit in a request. */
  *addInSteps(keys: Iterable<ItemKey>): Steps<void> {
    const pace = new Pace();
    for (const key of keys) {
      if (pace.isStep()) yield;
      this.#keys.set(`${key.kind} ${key.key}`, key);
    }
  }

  has({ kind, key }: ItemKey): boolean {
    return this.#keys.has(`${kind} ${key}`);
  }

  all(): readonly ItemKey[] {
    return [...this.#keys.values()];
  }
}

/** A command needs items that were not loaded: load them and decide again. */
export class ItemsMissingError extends Error {
  constructor(readonly keys: readonly ItemKey[]) {
    super('the round needs items that were not loaded');
  }
}

/** Throws {@link ItemsMissingError} if the command needs items that were not loaded. */
export function* requireLoaded(
  command: ContextCommand,
  { state }: Draft,
  loaded: LoadedKeys,
): Steps<void> {
  const missing: ItemKey[] = [];
  const pace = new Pace();
  for (const key of requiredKeys(command, state.lookup)) {
    if (pace.isStep()) yield;
    if (!loaded.has(key)) missing.push(key);
  }
  if (missing.length > 0) throw new ItemsMissingError(missing);
}
