import { boundedKey } from '../bounded-key.js';
import { type EventData } from '../context.events.js';
import { type Item, type ItemKey } from '../item.js';

export type SourcePart = EventData<'SourceImported'>;

/** A piece as in `SourceImported`; `items` is empty if the text was not understood. */
export type SourcePiece = Readonly<{
  text: string;
  items: readonly string[];
  agreedAt?: number | undefined;
}>;

/** The newest revision of an imported document. */
export type SourceDocument = Readonly<{
  format: string;
  name: string;
  sha256: string;
  parts: number;
  /** The version of its last part. */
  version: number;
  pieces: readonly SourcePiece[];
  removed: readonly string[];
}>;

type PartName = Pick<SourcePart, 'format' | 'name' | 'sha256' | 'part'>;

export function sourceKey({ format, name, sha256, part }: PartName): ItemKey {
  return { kind: 'source', key: boundedKey(`${part} ${sha256} ${format} ${name}`) };
}

/** The keys of the parts of the revision that an event replaces. */
export function replacedKeys({ replaces, ...source }: SourcePart): readonly ItemKey[] {
  if (!replaces || replaces.sha256 === source.sha256) return [];
  const { sha256, parts } = replaces;
  return Array.from({ length: parts }, (_, at) => sourceKey({ ...source, sha256, part: at + 1 }));
}

/**
 * The imported documents of a context, in the order of their first import. An incomplete revision, whose import was
 * aborted, is ignored, so that the previous revision is the newest.
 */
export function sourceDocuments(items: readonly Item[]): readonly SourceDocument[] {
  const sources = items.filter(({ kind }) => kind === 'source').map(partOf);
  return sources
    .filter(({ part: { part, parts } }) => part === parts)
    .toSorted((left, right) => left.first - right.first)
    .flatMap(({ part }) => joinParts(part, sources));
}

type ReadPart = Readonly<{ part: SourcePart; version: number; first: number }>;

function joinParts(last: SourcePart, all: readonly ReadPart[]): SourceDocument[] {
  const { format, name, sha256, parts } = last;
  const own = all
    .filter(({ part }) => part.format === format && part.name === name && part.sha256 === sha256)
    .toSorted((left, right) => left.part.part - right.part.part);
  if (own.length !== parts) return [];
  const version = Math.max(...own.map((part) => part.version));
  return [
    {
      format,
      name,
      sha256,
      parts,
      version,
      pieces: joinPieces(own.flatMap((part) => piecesAt(part, version))),
      removed: own.flatMap(({ part }) => part.removed ?? []),
    },
  ];
}

/**
 * If other events were written between the parts, each piece agrees with the context at the version of its part.
 */
function piecesAt({ part, version }: ReadPart, last: number): SourcePart['pieces'] {
  if (version === last - (part.parts - part.part)) return part.pieces;
  return part.pieces.map((piece) => ({ agreedAt: version, ...piece }));
}

function joinPieces(stored: SourcePart['pieces']): SourcePiece[] {
  const pieces: SourcePiece[] = [];
  for (const { text, items = [], continues, agreedAt } of stored) {
    const last = pieces.at(-1);
    if (continues && last) pieces.splice(-1, 1, { ...last, text: last.text + text });
    else pieces.push({ text, items, ...(agreedAt === undefined ? {} : { agreedAt }) });
  }
  return pieces;
}

/** Reads a part. Versions that a fork inherits are converted to its own numbering, in which they are below 1. */
function partOf({ body, state }: Item): ReadPart {
  // Only source-document.fold.ts writes body and state of these items.
  const stored = body as unknown as SourcePart;
  const [version, first] = [Number(state['version']), Number(state['firstVersion'])];
  const inherited = Number(state['countedAs']) - version;
  const pieces = stored.pieces.map(({ agreedAt, ...piece }) =>
    agreedAt === undefined ? piece : { ...piece, agreedAt: agreedAt - inherited },
  );
  return { part: { ...stored, pieces }, version, first };
}
