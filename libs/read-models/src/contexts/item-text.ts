import { type Item } from '#shared-context';

import { encodeSources } from './source-column.js';

/** The state of a row that marks its item as removed, although an older layer may still hold it. */
export const removedState = 'null';

/**
 * Approximate bytes that a row needs besides its texts: in its columns, its indexes and the statement that writes it.
 */
const plainBytes = 200;

/** The texts of an item row. Encoded once, to count the bytes and to write the row. */
export type ItemText = Readonly<{ state: string; body: string | null; sources: string | null }>;

export function encodeItem({ state, body, sources }: Item): ItemText {
  return {
    state: JSON.stringify(state),
    body: body === undefined ? null : JSON.stringify(body),
    sources: encodeSources(sources),
  };
}

/** The approximate bytes of an item row; without a text, of an update that ends the row. */
export function bytesOfRow(key: string, text?: ItemText): number {
  const { state = '', body = null, sources = null } = text ?? {};
  return plainBytes + [key, state, body ?? '', sources ?? ''].reduce(addBytes, 0);
}

function addBytes(sum: number, text: string): number {
  return sum + Buffer.byteLength(text);
}
