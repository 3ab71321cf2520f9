import { type ContextDocument } from '../documents/context-document.js';
import { type WrittenSource } from '../documents/document-format.js';
import { baseRef, itemRef } from '../documents/item-ref.js';
import { type StoryItems } from './story-sections-text.js';

/** The items of a context that are not in any revision of a source. */
export function newItems(document: ContextDocument, sources: readonly WrittenSource[]): StoryItems {
  const known = new Set(
    sources.flatMap(({ pieces, removed }) =>
      [...pieces.flatMap(({ items }) => items), ...removed].map(baseRef),
    ),
  );
  const isNew = (kind: Parameters<typeof itemRef>[0], key: string): boolean =>
    !known.has(baseRef(itemRef(kind, key)));
  return {
    requirements: document.requirements.filter((one) => isNew('requirement', one.requirementId)),
    tasks: document.tasks.filter(({ taskId }) => isNew('task', taskId)),
    decisionHistory: document.decisionHistory.filter((one) => isNew('decision', one.decisionId)),
    records: document.records.filter(({ recordId }) => isNew('record', recordId)),
    artifactReferences: document.artifactReferences.filter((one) =>
      isNew('artifact', one.artifactId),
    ),
    reviewHistory: document.reviewHistory.filter(({ reviewId }) => isNew('review', reviewId)),
  };
}
