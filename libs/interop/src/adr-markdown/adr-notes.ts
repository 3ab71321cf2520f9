import { isVisible } from '#event-sourcing';

import { agentNameFault } from '../documents/agent-name.js';
import { type ReadingNote } from '../documents/document-format.js';
import { type AdrPart } from './adr-document.js';
import { maxSections } from './adr-record.js';
import { bodyOf } from './adr-text.js';
import { type ResolvedRecord } from './supersession.js';

const maxNotes = 10_000;

/** Whether this decider can be the claimed author of the decision. */
export function isUsableAuthor(name: string): boolean {
  return name.length <= 256 && !/^\.{1,2}$/.test(name) && agentNameFault(name) === undefined;
}

/** Notes on the parts of a record that were not imported unchanged. `texts`: sections that became no items. */
export function adrNotes(
  { record, status, faults }: ResolvedRecord,
  texts: readonly AdrPart[],
): ReadingNote[] {
  const place = { document: record.name, line: 1, pointer: '' };
  const [first] = record.deciders;
  const notes: ReadingNote[] = [];
  if (first !== undefined && !isUsableAuthor(first))
    notes.push({
      ...place,
      kind: 'changed',
      detail: `"${first.slice(0, 100)}" cannot be the id of an agent: the decision has no claimed author`,
    });
  if (record.decision === undefined)
    notes.push({
      ...place,
      kind: 'changed',
      detail: 'has no section for the decision: its title is used instead',
    });
  if (record.status && !record.status.isKnown)
    notes.push({
      ...place,
      line: record.status.line,
      kind: 'changed',
      detail: `the status "${record.status.text.slice(0, 100)}" is unknown: recorded as ${status}`,
    });
  for (const part of texts.slice(0, maxNotes)) notes.push({ ...place, ...noteOf(part) });
  return [...notes, ...faults.map((fault) => ({ ...place, ...fault }))];
}

function noteOf(part: AdrPart): Pick<ReadingNote, 'line' | 'kind' | 'detail'> {
  const heading = `"${part.heading.slice(0, 100)}"`;
  const detail = isVisible(bodyOf(part))
    ? `is after the first ${maxSections} sections: only these become items`
    : 'has no text below it';
  return { line: part.line, kind: 'text', detail: `${heading} ${detail}` };
}
