import { type JsonObject } from '#event-sourcing';
import { type DocumentFacts, type Item } from '#shared-context';

import { isLarge } from './is-large-context.handler.js';
import { measureDocument } from './document-text.js';
import { type AuthorizedSnapshot } from './authorized-context-reader.js';

/**
 * The size as the reader sees it: the number of versions that changed the visible items, and the length of the
 * document.
 */
export async function visibleSize(
  document: JsonObject,
  { head, state }: AuthorizedSnapshot,
): Promise<DocumentFacts['size']> {
  const { bytes, characters } = isLarge(head)
    ? await measureDocument(document)
    : lengthsOf(JSON.stringify(document));
  const events = new Set(versionsOf(state.values())).size;
  return { events, bytes, tokens: Math.ceil(characters / 4) };
}

function lengthsOf(text: string) {
  return { bytes: Buffer.byteLength(text), characters: text.length };
}

/** Items that a fork has inherited count as changes of its version 1. */
export function versionsOf(items: Iterable<Item>): readonly number[] {
  return Array.from(items, ({ fromVersion }) => Math.max(fromVersion, 1));
}
