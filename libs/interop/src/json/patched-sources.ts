import { baseRef } from '../documents/item-ref.js';
import { DocumentError } from '../documents/document.error.js';
import { type NamedText, type WrittenSource } from '../documents/document-format.js';
import { JsonText } from './json-text.js';
import { PlacedItems } from './placed-items.js';

/** An imported JSON document that is written with later changes. */
export type PatchedSource = Readonly<{
  json: JsonText;
  written: WrittenSource;
  /** The locations of items in the source. */
  places: PlacedItems;
  /** Whether no source has the item yet, so that it is added to this one. */
  isNew: (ref: string) => boolean;
  /** Whether new items are added to this source. */
  isFirst: boolean;
}>;

/**
 * The sources with their changes; undefined if there are none, or if a text lacks parts that the reader may not see.
 */
export function patchedSources(
  sources: readonly WrittenSource[],
  patch: (source: PatchedSource) => string,
): readonly NamedText[] | undefined {
  const known = new Set(
    sources.flatMap(({ pieces, removed }) =>
      [...pieces.flatMap(({ items }) => items), ...removed].flatMap((ref) => [ref, baseRef(ref)]),
    ),
  );
  const patched = sources.flatMap((written, at) => {
    const { name, pieces } = written;
    const json = parsed({ name, text: pieces.map(({ text }) => text).join('') });
    if (!json) return [];
    const isNew = (ref: string) => at === 0 && !known.has(ref) && !known.has(baseRef(ref));
    const places = new PlacedItems(json, pieces);
    return [{ name, text: patch({ json, written, places, isNew, isFirst: at === 0 }) }];
  });
  return patched.length === sources.length && patched.length > 0 ? patched : undefined;
}

function parsed(document: NamedText): JsonText | undefined {
  try {
    return new JsonText(document);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
