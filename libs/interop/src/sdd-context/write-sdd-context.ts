import { baseRef } from '../documents/item-ref.js';
import { DocumentError } from '../documents/document.error.js';
import {
  type ContextToWrite,
  type NamedText,
  type WrittenDocuments,
  type WrittenSource,
} from '../documents/document-format.js';
import { JsonText } from '../json/json-text.js';
import { PlacedItems } from '../json/placed-items.js';
import { notCarriedBySdd } from './not-carried.js';
import { patchSddContext } from './patch-sdd-context.js';
import { printSddContext } from './print-sdd-context.js';

/** A context.json: the one that was imported, with what has changed since, or one from the state of the context. */
export function writeSddContext(context: ContextToWrite): WrittenDocuments {
  const notCarried = notCarriedBySdd(context.document);
  const patched = context.sources.flatMap((source, at) => patchedSource(context, source, at) ?? []);
  if (patched.length === context.sources.length && patched.length > 0)
    return { documents: patched, notCarried };
  const name = context.sources[0]?.name ?? 'context.json';
  return { documents: [{ name, text: printSddContext(context) }], notCarried };
}

/** Undefined if parts of the text are missing, which are not shown to everybody. */
function patchedSource(
  context: ContextToWrite,
  written: WrittenSource,
  at: number,
): NamedText | undefined {
  const { name, pieces } = written;
  const json = parsed({ name, text: pieces.map(({ text }) => text).join('') });
  if (!json) return undefined;
  const known = new Set(
    context.sources.flatMap(({ pieces: all, removed }) => [
      ...all.flatMap(({ items }) => items),
      ...removed,
    ]),
  );
  const isNew = (ref: string) => at === 0 && !known.has(ref) && !known.has(baseRef(ref));
  const places = new PlacedItems(json, pieces);
  return {
    name,
    text: patchSddContext(context, { json, written, places, isNew, isFirst: at === 0 }),
  };
}

function parsed(document: NamedText): JsonText | undefined {
  try {
    return new JsonText(document);
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
