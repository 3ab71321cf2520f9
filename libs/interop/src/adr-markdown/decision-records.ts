import { isVisible } from '#event-sourcing';

import { type ContextDocument } from '../documents/context-document.js';
import { headingText, section, sectionText } from './markdown-text.js';
import { titleOf } from './adr-title.js';
import { type Decision } from './written-decision.js';

type Written = ContextDocument['records'][number];

/** Records by the decisions that they are named after, because every decision asks for its own. */
const indexes = new WeakMap<object, ReadonlyMap<string, readonly Written[]>>();

/** Records that are named after a decision, as sections of decision records are, and that are texts only, as those are. */
export function sectionsOf(
  { decisionId }: Decision,
  { records }: ContextDocument,
): readonly Written[] {
  const index = indexes.get(records) ?? Map.groupBy(records.filter(isText), ownerOf);
  indexes.set(records, index);
  return index.get(decisionId) ?? [];
}

/** The record of what a decision's document says besides the decision. */
export function detailsIdOf({ decisionId }: Decision): string {
  return `${decisionId}.details`;
}

/** A record as a section, its heading marked by `marks`. */
export function printSection(
  { recordId, title: named = '', body = '' }: Written,
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

function ownerOf({ recordId }: Written): string {
  return recordId.slice(0, Math.max(0, recordId.lastIndexOf('.')));
}

function isText({ recordId, body = '', fields }: Written): boolean {
  return isVisible(body) && fields === undefined && !recordId.endsWith('.details');
}
