/** Indexes of lists by ids, cached because every piece of a document looks up some entries. */
const indexes = new WeakMap<object, ReadonlyMap<unknown, number>>();

/** The first entry of a list whose member `id` is this key. For a list, `id` must always be the same member. */
export function entryBy<Listed extends object>(
  entries: readonly Listed[],
  id: keyof Listed,
  key: string,
): Listed | undefined {
  const index = indexes.get(entries) ?? indexOf(entries, id);
  indexes.set(entries, index);
  const at = index.get(key);
  return at === undefined ? undefined : entries[at];
}

function indexOf<Listed>(
  entries: readonly Listed[],
  id: keyof Listed,
): ReadonlyMap<unknown, number> {
  return new Map(entries.map((entry, at) => [entry[id], at] as const).toReversed());
}
