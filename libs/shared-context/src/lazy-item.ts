import { type JsonValue } from '#event-sourcing';

import { type Item } from './item.js';

/** Functions that read the bodies of lazy items. A copy by spreading is an ordinary item with its body in memory. */
const readers = new WeakMap<Item, () => JsonValue>();

/** An item whose body is read again whenever it is needed, so that many large ones need not be in memory at once. */
export function lazyItem(
  { kind, key, fromVersion, state, sources }: Omit<Item, 'body'>,
  read: () => JsonValue,
): Item {
  const item: Item = {
    kind,
    key,
    fromVersion,
    state,
    sources,
    get body() {
      return read();
    },
  };
  readers.set(item, read);
  return item;
}

/** A copy with other facts; the copy of a lazy item reads its body in the same way. */
export function withFacts(item: Item, facts: Partial<Pick<Item, 'fromVersion' | 'state'>>): Item {
  const read = readers.get(item);
  if (!read) return { ...item, ...facts };
  const { kind, key, fromVersion, state, sources } = item;
  return lazyItem({ kind, key, fromVersion, state, sources, ...facts }, read);
}

/** Undefined for items whose body is in memory. */
export function bodyReaderOf(item: Item): (() => JsonValue) | undefined {
  return readers.get(item);
}
