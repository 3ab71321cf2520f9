import { type ContextCommand, type ItemLookup, namedKeys } from '#shared-context';

import { type Draft } from './draft.js';
import { type PreparedWrite } from './prepared-write.js';

/**
 * A lookup that returns undefined for items that the command names and that are hidden from the writer, unless the same
 * write has created them. A command may still overwrite a hidden item, which reveals nothing. If the visible items
 * could not be read, the lookup of such an item throws that refusal, whether or not the item exists.
 */
export function visibleLookup(
  before: Draft,
  { state }: Draft,
  { hidden = [], refusal }: PreparedWrite,
  command: ContextCommand,
): ItemLookup {
  if (hidden.length === 0) return state.lookup;
  const named = namedKeys(command).map(({ kind, key }) => `${kind} ${key}`);
  const hiddenNames = new Set(hidden.map(({ kind, key }) => `${kind} ${key}`));
  const hiddenInCommand = new Set(named.filter((name) => hiddenNames.has(name)));
  return (kind, key) => {
    const item = state.get(kind, key);
    if (!hiddenInCommand.has(`${kind} ${key}`)) return item;
    const isOwn = item !== undefined && before.state.get(kind, key) === undefined;
    if (isOwn) return item;
    if (refusal !== undefined) throw refusal;
    return undefined;
  };
}
