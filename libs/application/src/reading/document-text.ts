import { createHash } from 'node:crypto';

import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Steps, runInSlices } from '#slices';

/** Texts are collected up to this many UTF-16 units before they are sent as one piece. */
const pieceLength = 65_536;

/** A JSON text as UTF-8, in pieces, and the hash for receipts. */
export type DocumentText = Readonly<{ pieces: readonly Buffer[]; bytes: number; hash: string }>;

/**
 * Encodes the same bytes as `JSON.stringify`, in slices and without one large string. Rejects with the reason of the
 * signal.
 */
export function encodeDocument(document: JsonObject, signal?: AbortSignal): Promise<DocumentText> {
  return runInSlices(encoding(document), signal);
}

/** Measures the text without storing it. */
export function measureDocument(
  document: JsonObject,
): Promise<Readonly<{ bytes: number; characters: number }>> {
  return runInSlices(measuring(document));
}

function* encoding(document: JsonObject): Steps<DocumentText> {
  const hash = createHash('sha256');
  const pieces: Buffer[] = [];
  let [texts, length, bytes]: [string[], number, number] = [[], 0, 0];
  const flush = () => {
    const piece = Buffer.from(texts.join(''));
    hash.update(piece);
    pieces.push(piece);
    bytes += piece.length;
    [texts, length] = [[], 0];
  };
  for (const text of jsonTexts(document)) {
    texts.push(text);
    length += text.length;
    if (length >= pieceLength) flush();
    yield;
  }
  flush();
  return { pieces, bytes, hash: hash.digest('hex') };
}

function* measuring(document: JsonObject): Steps<Readonly<{ bytes: number; characters: number }>> {
  let [bytes, characters] = [0, 0];
  for (const text of jsonTexts(document)) {
    bytes += Buffer.byteLength(text);
    characters += text.length;
    yield;
  }
  return { bytes, characters };
}

/** Yields the JSON of a document in parts: member by member, and within these entry by entry. */
function* jsonTexts(document: JsonObject): Generator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(document)) {
    yield `${separator}${JSON.stringify(name)}:`;
    yield* entryTexts(value);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

function* entryTexts(value: JsonValue): Generator<string> {
  if (typeof value !== 'object' || value === null) yield JSON.stringify(value);
  else if (Array.isArray(value))
    yield* enclosed(
      '[]',
      value.values().map((entry) => JSON.stringify(entry)),
    );
  else
    yield* enclosed(
      '{}',
      Object.entries(value)
        .values()
        .map(([name, entry]) => `${JSON.stringify(name)}:${JSON.stringify(entry)}`),
    );
}

function* enclosed(brackets: string, texts: Iterable<string>): Generator<string> {
  let separator = brackets.charAt(0);
  for (const text of texts) {
    yield separator + text;
    separator = ',';
  }
  yield separator === ',' ? brackets.charAt(1) : brackets;
}
