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
import { notCarried } from './not-carried.js';
import { rewriteStatus } from './rewrite-status.js';
import { type Decision, decisionOf } from './written-decision.js';

/**
 * Writes imported records as they came, but for the status of those that were approved, rejected or superseded since, and a new file
 * for each decision that no record states. Without records that is a file for every decision, in the form of MADR 4.
 */
export function writeAdrMarkdown({ document, sources }: ContextToWrite): WrittenDocuments {
  const known = knownDecisions(sources);
  const added = document.decisionHistory.filter(
    ({ decisionId }) => !known.has(baseRef(itemRef('decision', decisionId))),
  );
  const files = new AdrFiles(document, sources, added);
  return {
    documents: [
      ...sources.map((source) => rewritten(source, document, files)),
      ...added.map((decision) => adrFile(decision, document, files)),
    ],
    notCarried: notCarried(document, sources),
  };
}

/** Decisions that a record states, in one revision or another. */
function knownDecisions(sources: readonly WrittenSource[]): ReadonlySet<string> {
  return new Set(
    sources.flatMap(({ pieces, removed }) => [
      ...removed.map(baseRef),
      ...pieces.flatMap(({ items }) => items.map(baseRef)),
    ]),
  );
}

function rewritten(source: WrittenSource, now: ContextDocument, files: AdrFiles): NamedText {
  const { name, pieces, before } = source;
  const text = pieces.map((piece) => piece.text).join('');
  const decisionId = decisionOf(source);
  const decision = findDecision(now, decisionId);
  const isChanged = decision && stateOf(decision) !== stateOf(findDecision(before, decisionId));
  return { name, text: isChanged ? rewriteStatus({ name, text }, decision, files) : text };
}

function findDecision({ decisionHistory }: ContextDocument, id: string): Decision | undefined {
  return decisionHistory.find(({ decisionId }) => decisionId === id);
}

/** What a status line says of a decision. */
function stateOf(decision: Decision | undefined): string {
  return decision ? `${decision.status} ${decision.supersededBy ?? ''}` : '';
}
