import { type ContextDocument } from '../documents/context-document.js';
import { type WrittenSource } from '../documents/document-format.js';
import { itemOfRef } from '../documents/item-ref.js';

/** A decision in the document of its context. */
export type Decision = ContextDocument['decisionHistory'][number];

/** The id of the decision in a record; '' if it has none. */
export function decisionOf({ pieces }: WrittenSource): string {
  for (const { items } of pieces)
    for (const ref of items) {
      const { kind, key } = itemOfRef(ref);
      if (kind === 'decision') return key;
    }
  return '';
}
