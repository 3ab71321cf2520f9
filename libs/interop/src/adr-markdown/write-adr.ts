import { entryBy } from '../documents/entry-index.js';
import { baseRef, itemRef } from '../documents/item-ref.js';
import {
  type ContextToWrite,
  type NamedText,
  type WrittenDocuments,
  type WrittenSource,
} from '../documents/document-format.js';
import { type ContextDocument } from '../documents/context-document.js';
import { AdrFiles } from './adr-files.js';
import { adrFile } from './adr-file.js';
import { detailsIdOf, sectionsOf } from './decision-records.js';
import { notCarried } from './not-carried.js';
import { rewriteStatus } from './rewrite-status.js';
import { withSections } from './with-sections.js';
import { type Decision, decisionOf } from './written-decision.js';

/**
 * Writes imported records unchanged, except for the status of decisions that were approved, rejected or superseded since,
 * and a new file for each decision without a record. Texts that were recorded under the name of an imported decision
 * since the import become sections at the end of its record. Without records, writes a file for every decision, in the
 * format of MADR 4.
 */
export function writeAdrMarkdown({ document, sources }: ContextToWrite): WrittenDocuments {
  const known = knownItems(sources);
  const isNew = (kind: 'decision' | 'record', id: string) => !known.has(baseRef(itemRef(kind, id)));
  const added = document.decisionHistory.filter(({ decisionId }) => isNew('decision', decisionId));
  const files = new AdrFiles(document, sources, added);
  const carried = new Set(added.flatMap((decision) => recordsIn(decision, document)));
  const rewritten = sources.map((source) => {
    const { text, printed } = withSections(rewrittenStatus(source, document, files), {
      decision: findDecision(document, decisionOf(source)),
      document,
      isNew: (recordId) => isNew('record', recordId),
    });
    for (const recordId of printed) carried.add(recordId);
    return { name: source.name, text };
  });
  return {
    documents: [...rewritten, ...added.map((decision) => adrFile(decision, document, files))],
    notCarried: notCarried(document, (id) => carried.has(id) || !isNew('record', id)),
  };
}

/** The items in any revision of the records. */
function knownItems(sources: readonly WrittenSource[]): ReadonlySet<string> {
  return new Set(
    sources.flatMap(({ pieces, removed }) => [
      ...removed.map(baseRef),
      ...pieces.flatMap(({ items }) => items.map(baseRef)),
    ]),
  );
}

/** The records in the new file of a decision. */
function recordsIn(decision: Decision, document: ContextDocument): string[] {
  const sections = sectionsOf(decision, document).map(({ recordId }) => recordId);
  return [detailsIdOf(decision), ...sections];
}

function rewrittenStatus(source: WrittenSource, now: ContextDocument, files: AdrFiles): NamedText {
  const { name, pieces, before } = source;
  const text = pieces.map((piece) => piece.text).join('');
  const decisionId = decisionOf(source);
  const decision = findDecision(now, decisionId);
  const isChanged = decision && stateOf(decision) !== stateOf(findDecision(before, decisionId));
  return { name, text: isChanged ? rewriteStatus({ name, text }, decision, files) : text };
}

function findDecision({ decisionHistory }: ContextDocument, id: string): Decision | undefined {
  return entryBy(decisionHistory, 'decisionId', id);
}

/** The part of a decision that a status line states. */
function stateOf(decision: Decision | undefined): string {
  return decision ? `${decision.status} ${decision.supersededBy ?? ''}` : '';
}
