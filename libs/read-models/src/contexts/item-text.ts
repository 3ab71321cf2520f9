import { type Item } from '#shared-context';

import { encodeSources } from './source-column.js';

/** The state of a row that says its item is gone, where an older layer may hold it still. */
export const removedState = 'null';

/** What a row has beside its texts, in its columns, its indexes and the statement that writes it. */
const plainBytes = 200;

/** An item as the columns of its row hold it. It is encoded once: to count its bytes, and to write it. */
export type ItemText = Readonly<{ state: string; body: string | null; sources: string | null }>;

export function encodeItem({ state, body, sources }: Item): ItemText {
  return {
    state: JSON.stringify(state),
    body: body === undefined ? null : JSON.stringify(body),
    sources: encodeSources(sources),
  };
}

/** The bytes of an item row, about; without a text, those of an update that ends the row. */
export function bytesOfRow(key: string, text?: ItemText): number {
  const { state = '', body = null, sources = null } = text ?? {};
  return plainBytes + [key, state, body ?? '', sources ?? ''].reduce(addBytes, 0);
}

function addBytes(sum: number, text: string): number {
  return sum + Buffer.byteLength(text);
}
