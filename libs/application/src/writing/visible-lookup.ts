import { type ContextCommand, type ItemLookup, namedKeys } from '#shared-context';

import { type Draft } from './draft.js';
import { type PreparedWrite } from './prepared-write.js';

/**
 * What a command names and its writer does not see is not there, unless this write itself has made it: changing something
 * unseen, as anybody may, shows nothing of it. If nobody can tell what is seen, the refusal says so, whatever is there.
 */
export function visibleLookup(
  before: Draft,
  { state }: Draft,
  { unseen = [], refusal }: PreparedWrite,
  command: ContextCommand,
): ItemLookup {
  if (unseen.length === 0) return state.lookup;
  const named = namedKeys(command).map(({ kind, key }) => `${kind} ${key}`);
  const hidden = new Set(unseen.map(({ kind, key }) => `${kind} ${key}`));
  const isHidden = new Set(named.filter((name) => hidden.has(name)));
  return (kind, key) => {
    const item = state.get(kind, key);
    if (!isHidden.has(`${kind} ${key}`)) return item;
    const isOwn = item !== undefined && before.state.get(kind, key) === undefined;
    if (isOwn) return item;
    if (refusal !== undefined) throw refusal;
    return undefined;
  };
}
