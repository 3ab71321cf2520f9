import { isVisible } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { headingText, section, sectionText } from './markdown-text.js';
import { titleOf } from './adr-title.js';
import { type Decision } from './written-decision.js';

type DocumentRecord = ContextDocument['records'][number];

/** Records by the decisions that they are named after, cached because every decision needs its own. */
const indexes = new WeakMap<object, ReadonlyMap<string, readonly DocumentRecord[]>>();

/** Text records that are named after a decision, like the sections of decision records. */
export function sectionsOf(
  { decisionId }: Decision,
  { records }: ContextDocument,
): readonly DocumentRecord[] {
  const index = indexes.get(records) ?? Map.groupBy(records.filter(isText), ownerOf);
  indexes.set(records, index);
  return index.get(decisionId) ?? [];
}

/** The id of the record with the details of a decision. */
export function detailsIdOf({ decisionId }: Decision): string {
  return `${decisionId}.details`;
}

/** A record as a section; `marks` are the signs of its heading. */
export function printSection(
  { recordId, title: named = '', body = '' }: DocumentRecord,
  {
    decision,
    document,
    marks,
  }: Readonly<{
    decision: Decision;
    document: ContextDocument;
    marks: string;
  }>,
): string {
  const title = titleOf(decision, document);
  const heading = named.startsWith(`${title}: `) ? named.slice(title.length + 2) : named;
  const line = heading.replaceAll(/\s+/g, ' ').trim();
  const name = line || recordId.slice(decision.decisionId.length + 1);
  return section(`${marks} ${headingText(name)}`, sectionText(body));
}

function ownerOf({ recordId }: DocumentRecord): string {
  return recordId.slice(0, Math.max(0, recordId.lastIndexOf('.')));
}

function isText({ recordId, body = '', fields }: DocumentRecord): boolean {
  return isVisible(body) && fields === undefined && !recordId.endsWith('.details');
}
