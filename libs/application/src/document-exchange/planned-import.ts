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

/**
 * The commands of an import in order, the creation of the context first, and the notes to report. `key` is the same for
 * every repetition of the import.
 */
export type PlannedImport = Readonly<{
  commands: readonly ImportCommand[];
  /** The texts of the documents; they are stored after the commands. */
  parts: readonly SourcePart[];
  importer: Pick<ImportCommand, 'claim' | 'place'>;
  notes: readonly ReadingNote[];
  key: string;
}>;

/** `changed`: the items that have changed since the documents were imported, see {@link PastDocuments.changedItems}. */
type ImportState = Readonly<{
  known: KnownSources;
  reading: DocumentReading;
  changed: ReadonlyMap<string, number>;
  now: number;
}>;

export function readDocuments({ format, documents, firstLine }: DocumentsToImport) {
  const { read } = findFormat(format);
  if (!read) throw new Error(`documents cannot be imported as ${format}`);
  return orInvalid(() => read(documents, optionsOf(firstLine)));
}

/** Whether a context was imported from exactly these documents. */
export function isImported({ documents }: DocumentsToImport, { sources }: KnownSources): boolean {
  if (sources.length === 0) return false;
  const known = new Map(sources.map(({ name, sha256: hash }) => [name, hash]));
  return documents.every(({ name, text }) => known.get(name) === sha256(text));
}

/** Plans an import as the difference from the documents that were imported earlier. `now` in milliseconds. */
export function planImportOf(
  request: DocumentsToImport,
  { known, reading, changed, now }: ImportState,
): PlannedImport {
  const { format, documents } = request;
  const { sources } = known;
  const combined =
    sources.length === 0
      ? reading
      : readDocuments({ ...request, documents: withEarlier(documents, sources) });
  const earlier = orInvalid(() => readEarlier(format, sources, optionsOf(request.firstLine)));
  const plan = planRevision(combined, earlier, {
    ...known.decisions,
    agreedAt: (item) => changed.get(item),
    items: known.items,
  });
  const place = { document: documents[0]?.name ?? '', line: 1, pointer: '' };
  const { claim: importer, notes } = checkClaim(request.claim ?? {}, place, now);
  const events = plan.events.map((event) => withClaim(event, request.claim, now));
  const parts = orInvalid(() => plan.documents.flatMap((one) => sourceParts(format, one, sha256)));
  const creation = { type: 'CreateContext', data: combined.creation } as const;
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

function withClaim(planned: PlannedEvent, claim: ClaimedOrigin | undefined, now: number) {
  const { origin = claim ?? {}, place } = planned;
  return { planned, ...checkClaim(origin, place, now) };
}

/**
 * Documents that are imported again after others have replaced them, or after a restore has removed them, are a new
 * import.
 */
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
