import { type SourceDocument, type SourcePiece } from '#shared-context';

import {
  type DocumentReading,
  type PlannedEvent,
  type ReadDocument,
  type ReadingNote,
} from './document-format.js';
import { type ChangedItems, type DecisionFacts } from './decision-facts.js';
import { introduceItem } from './introduce-item.js';
import { ItemRevisions } from './item-revisions.js';
import { type KnownItem, KnownItems } from './known-items.js';
import { reviseItem } from './revise-item.js';
import { type DocumentToStore } from './source-parts.js';

/**
 * The result of comparing an import with an earlier one. `documents`: new and changed documents, with the items that
 * they no longer contain.
 */
type RevisionPlan = Readonly<{
  events: readonly PlannedEvent[];
  documents: readonly DocumentToStore[];
  notes: readonly ReadingNote[];
}>;

/** An earlier import: its documents as stored, and as this release reads them. */
export type EarlierImport = Readonly<{
  sources: readonly SourceDocument[];
  reading: DocumentReading;
}>;

/**
 * Compares a reading with the earlier import of documents of the same names; only differences become events. Later
 * changes by agents stay, unless the document changes the same.
 */
export function planRevision(
  reading: DocumentReading,
  earlier: EarlierImport | undefined,
  facts: DecisionFacts & ChangedItems & Readonly<{ items: readonly KnownItem[] }>,
): RevisionPlan {
  const sources = earlier?.sources ?? [];
  const revisions = ItemRevisions.of(sources, earlier?.reading.documents);
  const items = new KnownItems(facts.items, namedIn(sources));
  const before = eventsByItem(earlier?.reading.events ?? []);
  const now = eventsByItem(reading.events);
  const events = [...now].flatMap(([item, planned]) => {
    const known = before.get(item);
    return known
      ? reviseItem({ item, known, planned }, revisions, facts)
      : introduceItem({ item, planned }, revisions, items);
  });
  const changed = reading.documents.filter((document) => isChanged(document, earlier));
  const dropped = [...before.keys()].filter((item) => !now.has(item));
  return {
    events,
    documents: changed.map(({ name, pieces: read }) => {
      const pieces = read.map((piece) => current(piece, revisions, facts));
      const contained = new Set(pieces.flatMap(({ items }) => items));
      const removed = removedFrom(name, dropped, earlier, revisions);
      return {
        name,
        pieces,
        removed: removed.filter((item) => !contained.has(item)),
        replaces: revisionOf(name, earlier),
      };
    }),
    notes: [...reading.notes, ...dropped.flatMap((item) => noteOf(item, before))],
  };
}

function namedIn(sources: readonly SourceDocument[]): ReadonlySet<string> {
  return new Set(
    sources.flatMap(({ pieces, removed }) => [...pieces.flatMap(({ items }) => items), ...removed]),
  );
}

/** A piece with the current names of its items. */
function current(
  { text, items: read }: SourcePiece,
  revisions: ItemRevisions,
  { agreedAt }: ChangedItems,
): SourcePiece {
  const items = read.map((item) => revisions.current(item));
  const versions = items.flatMap((item) => agreedAt(item) ?? []);
  return { text, items, ...(versions.length > 0 && { agreedAt: Math.min(...versions) }) };
}

/** Groups events in the order in which items first occur, so that items come before references to them. */
function eventsByItem(events: readonly PlannedEvent[]): ReadonlyMap<string, PlannedEvent[]> {
  return Map.groupBy(events, ({ item }) => item);
}

function isChanged({ name, pieces }: ReadDocument, earlier: EarlierImport | undefined): boolean {
  const source = earlier?.sources.find((one) => one.name === name);
  return source === undefined || textOf(source.pieces) !== textOf(pieces);
}

/** The stored revision of a document. */
function revisionOf(name: string, earlier: EarlierImport | undefined): DocumentToStore['replaces'] {
  const source = earlier?.sources.find((one) => one.name === name);
  return source && { sha256: source.sha256, parts: source.parts };
}

function textOf(pieces: ReadDocument['pieces']): string {
  return pieces.map(({ text }) => text).join('');
}

/** Items of earlier revisions of this document that it no longer contains. */
function removedFrom(
  name: string,
  dropped: readonly string[],
  earlier: EarlierImport | undefined,
  revisions: ItemRevisions,
): readonly string[] {
  const source = earlier?.sources.find((one) => one.name === name);
  const own = new Set(source?.pieces.flatMap(({ items }) => items));
  const stillRemoved = dropped
    .map((item) => revisions.current(item))
    .filter((item) => own.has(item));
  return [...new Set([...(source?.removed ?? []), ...revisions.replaced(own), ...stillRemoved])];
}

function noteOf(
  item: string,
  before: ReadonlyMap<string, readonly PlannedEvent[]>,
): readonly ReadingNote[] {
  const [first] = before.get(item) ?? [];
  if (!first) return [];
  const detail = `${item} is no longer in the document: it stays in the context`;
  return [{ ...first.place, kind: 'changed', detail }];
}
