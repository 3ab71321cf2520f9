import {
  type ClaimedOrigin,
  type DocumentReading,
  type PlannedEvent,
  type ReadingNote,
  type ReadingOptions,
  planRevision,
  sourceParts,
} from '#interop';
import { sha256 } from '#read-models';
import { type SourcePart } from '#shared-context';

import { checkClaim } from './claims.js';
import { findFormat, orInvalid } from './document-formats.js';
import { type KnownSources, readEarlier, withEarlier } from './earlier-import.js';
import { type ImportCommand, commandOf } from './import-batches.js';
import { type DocumentsToImport } from './document-exchange.messages.js';

/** What an import is to append, in order, the creation of the context first, and what it reports. `key` is the same for every repetition of the same import. */
export type PlannedImport = Readonly<{
  commands: readonly ImportCommand[];
  /** The texts of the documents, which are stored behind what they became. */
  parts: readonly SourcePart[];
  importer: Pick<ImportCommand, 'claim' | 'place'>;
  notes: readonly ReadingNote[];
  key: string;
}>;

/** `changed`: items that others have changed since the documents were imported, see ChangedItems. */
type Site = Readonly<{
  known: KnownSources;
  reading: DocumentReading;
  changed: ReadonlyMap<string, number>;
  now: number;
}>;

export function readDocuments({ format, documents, firstLine }: DocumentsToImport) {
  const { read } = findFormat(format);
  if (!read) throw new Error(`documents cannot be read as ${format}`);
  return orInvalid(() => read(documents, optionsOf(firstLine)));
}

/** Whether a context was imported from just these documents. */
export function isImported({ documents }: DocumentsToImport, { sources }: KnownSources): boolean {
  if (sources.length === 0) return false;
  const known = new Map(sources.map(({ name, sha256: hash }) => [name, hash]));
  return documents.every(({ name, text }) => known.get(name) === sha256(text));
}

/** Compares documents with what was imported before. `now` in milliseconds. */
export function planImportOf(
  request: DocumentsToImport,
  { known, reading, changed, now }: Site,
): PlannedImport {
  const { format, documents } = request;
  const { sources } = known;
  const whole =
    sources.length === 0
      ? reading
      : readDocuments({ ...request, documents: withEarlier(documents, sources) });
  const earlier = orInvalid(() => readEarlier(format, sources, optionsOf(request.firstLine)));
  const plan = planRevision(whole, earlier, {
    ...known.decisions,
    agreedAt: (item) => changed.get(item),
    items: known.items,
  });
  const place = { document: documents[0]?.name ?? '', line: 1, pointer: '' };
  const { claim: importer, notes } = checkClaim(request.claim ?? {}, place, now);
  const events = plan.events.map((event) => claimed(event, request.claim, now));
  const parts = orInvalid(() => plan.documents.flatMap((one) => sourceParts(format, one, sha256)));
  const creation = { type: 'CreateContext', data: whole.creation } as const;
  const commands = [
    { command: creation, claim: importer, place },
    ...events.map(({ planned, claim }) => ({
      command: commandOf(planned),
      claim,
      place: planned.place,
    })),
  ];
  return {
    commands: commands.map((command, index) => ({ ...command, index })),
    parts,
    importer: { claim: importer, place },
    notes: [...plan.notes, ...notes, ...events.flatMap((event) => event.notes)],
    key: keyOf(request, known),
  };
}

function claimed(planned: PlannedEvent, claim: ClaimedOrigin | undefined, now: number) {
  const { origin = claim ?? {}, place } = planned;
  return { planned, ...checkClaim(origin, place, now) };
}

/** Documents that come back after others have replaced them, or after a restore has dropped them, are another import. */
function keyOf(
  { format, documents, firstLine }: DocumentsToImport,
  { head, sources }: KnownSources,
): string {
  const behind = Math.max(0, ...sources.map(({ version }) => version));
  const texts = documents.map(({ name, text }) => [name, sha256(text)]);
  return sha256(JSON.stringify([format, texts, firstLine ?? null, behind, head?.lineage ?? null]));
}

function optionsOf(firstLine: number | undefined): ReadingOptions {
  return firstLine === undefined ? {} : { firstLine };
}
