import { type ContextToWrite, type WrittenDocuments } from '../documents/document-format.js';
import { patchedSources } from '../json/patched-sources.js';
import { notCarriedBySdd } from './not-carried.js';
import { patchSddContext } from './patch-sdd-context.js';
import { printSddContext } from './print-sdd-context.js';

/** Writes a context.json: the imported one with later changes, or a new one from the state of the context. */
export function writeSddContext(context: ContextToWrite): WrittenDocuments {
  const { sources, document } = context;
  const patched = patchedSources(sources, (source) => patchSddContext(context, source));
  const name = sources[0]?.name ?? 'context.json';
  return {
    documents: patched ?? [{ name, text: printSddContext(context) }],
    notCarried: notCarriedBySdd(document),
  };
}
