import { type Sha256 } from '#event-sourcing';
import { type SourcePart, maxSourceParts } from '#shared-context';

import { type ReadDocument } from './document-format.js';
import { DocumentError } from './document.error.js';

/** Maximum UTF-16 units of JSON for the pieces of one part: an event may have a mebibyte. */
const maxPartLength = 262_144;
/** A longer piece is divided. Its JSON has at most six times as many units. */
const maxPieceLength = 32_768;

type Piece = SourcePart['pieces'][number];

/** `removed`: items of earlier revisions that the document no longer contains; `replaces`: the previous revision. */
export type DocumentToStore = ReadDocument &
  Readonly<{
    removed: readonly string[];
    replaces?: NonNullable<SourcePart['replaces']> | undefined;
  }>;

/** A document as the payloads of the events that store it; throws DocumentError if there are too many. */
export function sourceParts(
  format: string,
  { name, pieces, removed, replaces }: DocumentToStore,
  sha256: Sha256,
): SourcePart[] {
  const parts = divide(pieces.flatMap(storedPieces));
  if (parts.length > maxSourceParts)
    throw new DocumentError(
      { document: name, line: 1, pointer: '' },
      'is too long to be stored: divide it into several documents',
    );
  const whole = sha256(pieces.map(({ text }) => text).join(''));
  return parts.map((part, at) => ({
    format,
    name,
    sha256: whole,
    part: at + 1,
    parts: parts.length,
    pieces: part,
    ...(at === 0 && removed.length > 0 ? { removed: [...removed] } : {}),
    ...(at === parts.length - 1 && replaces ? { replaces } : {}),
  }));
}

function storedPieces({ text, items, agreedAt }: ReadDocument['pieces'][number]): Piece[] {
  const texts = chunks(text);
  return texts.map((chunk, at) => ({
    text: chunk,
    ...(at === 0 && items.length > 0 ? { items: [...items] } : {}),
    ...(at > 0 ? { continues: true as const } : {}),
    ...(at === 0 && agreedAt !== undefined ? { agreedAt } : {}),
  }));
}

/** No chunk ends within a surrogate pair. */
function chunks(text: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + maxPieceLength;
    const isInPair = end < text.length && isHighSurrogate(text.charCodeAt(end - 1));
    found.push(text.slice(from, isInPair ? end - 1 : end));
    from += found.at(-1)?.length ?? maxPieceLength;
  }
  return found.length === 0 ? [''] : found;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function divide(pieces: readonly Piece[]): Piece[][] {
  const parts: Piece[][] = [];
  let length = Infinity;
  for (const piece of pieces) {
    const own = JSON.stringify(piece).length + 1;
    const part = parts.at(-1);
    if (part && length + own <= maxPartLength) {
      part.push(piece);
      length += own;
    } else {
      parts.push([piece]);
      length = own;
    }
  }
  return parts.length === 0 ? [[]] : parts;
}
