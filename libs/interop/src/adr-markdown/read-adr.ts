import { isVisible } from '#event-sourcing';

import { contextIdOf } from '../documents/context-id.js';
import {
  type DocumentReading,
  type NamedText,
  type ReadDocument,
  type ReadingNote,
} from '../documents/document-format.js';
import { readFileName } from './adr-names.js';
import { AdrPlan } from './adr-plan.js';
import { type AdrRecord, nameOf, readRecord } from './adr-record.js';
import { identifyRecords } from './adr-set.js';
import { resolveRecords } from './supersession.js';

/**
 * Reads a folder of decision records as one context: a decision for each record, each after the one that it supersedes.
 * Texts that are not records become documents whose pieces name no items.
 */
export function readAdrMarkdown(documents: readonly NamedText[]): DocumentReading {
  const all = documents.map(readRecord);
  const resolved = resolveRecords(identifyRecords(all.filter(({ isRecord }) => isRecord)));
  const plans = resolved.map((each) => new AdrPlan(each));
  const byText = new Map(plans.map((plan) => [plan.resolved.record.divided, plan]));
  return {
    ...identityOf(all),
    events: plans.flatMap((plan) => plan.events),
    documents: all.map((record) => byText.get(record.divided)?.document() ?? verbatim(record)),
    notes: all.flatMap((record) => byText.get(record.divided)?.notes ?? [noRecord(record)]),
  };
}

function identityOf(
  records: readonly AdrRecord[],
): Pick<DocumentReading, 'contextId' | 'creation'> {
  const [first, second] = records;
  if (!first || second)
    return { contextId: folderOf(records), creation: { title: 'Decision records' } };
  const title = nameOf(first).slice(0, 1000).toWellFormed();
  return {
    contextId: idNamed(first.file.stem),
    creation: { title: isVisible(title) ? title : 'Decision record' },
  };
}

/** The id is the name of the folder that contains all records, if there is one. */
function folderOf(records: readonly AdrRecord[]): string {
  const folders = new Set(records.map(({ name }) => name.split('/').slice(0, -1).join('/')));
  const [folder = '', other] = folders;
  return idNamed(other === undefined ? readFileName(folder).stem : '');
}

function idNamed(name: string): string {
  const words = name.slice(0, 1000).match(/[A-Za-z0-9]+/g) ?? [];
  return contextIdOf(words.join('-').slice(0, 100).toLowerCase(), 'decision-records');
}

function verbatim({ name, divided }: AdrRecord): ReadDocument {
  return { name, pieces: divided.parts.map(({ text }) => ({ text, items: [] })) };
}

function noRecord({ name }: AdrRecord): ReadingNote {
  const detail = 'is not a decision record';
  return { document: name, line: 1, pointer: '', kind: 'text', detail };
}
