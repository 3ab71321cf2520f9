import { type SerializerProtocol } from '@langchain/langgraph-checkpoint';

/**
 * A value as it is stored in an event: as JSON if the server accepts that, otherwise as JSON text, as bytes, or as the versions
 * of the events with the parts of the bytes.
 */
export type EncodedValue =
  | Readonly<{ json: unknown }>
  | Readonly<{ text: string }>
  | Readonly<{ type: string; base64: string }>
  | Readonly<{ type: string; parts: readonly number[] }>;

/** A serialized value that is not encoded yet. */
export type SerializedValue = Readonly<{ type: string; bytes: Uint8Array }>;

export type Parts = Readonly<{
  store: (base64: string) => Promise<number>;
  load: (version: number) => Promise<unknown>;
}>;

/** The server accepts JSON of 64 levels and bodies of 1 MiB; base64 and escapes make values longer. */
const [deepest, maxBytes, bytesOfPart] = [40, 384 * 1_024, 384 * 1_024];
/** Escapes in JSON strings that PostgreSQL or UTF-8 cannot represent. */
const unfitCharacter = /\\u(?:0000|[dD][89a-fA-F])/;

export async function serialize(
  serde: SerializerProtocol,
  value: unknown,
): Promise<SerializedValue> {
  const [type, bytes] = await serde.dumpsTyped(value);
  return { type, bytes };
}

/** Stores the largest values in parts until the rest fits into one event. */
export async function encodeAll(
  values: readonly SerializedValue[],
  parts: Pick<Parts, 'store'>,
): Promise<EncodedValue[]> {
  let total = values.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const inParts = new Set<SerializedValue>();
  for (const value of values.toSorted((a, b) => b.bytes.length - a.bytes.length)) {
    if (total <= maxBytes) break;
    inParts.add(value);
    total -= value.bytes.length;
  }
  const encoded: EncodedValue[] = [];
  for (const value of values)
    encoded.push(inParts.has(value) ? await storeParts(value, parts) : encode(value));
  return encoded;
}

export async function decode(
  serde: SerializerProtocol,
  encoded: EncodedValue,
  parts: Pick<Parts, 'load'>,
): Promise<unknown> {
  if ('json' in encoded) return serde.loadsTyped('json', JSON.stringify(encoded.json));
  if ('text' in encoded) return serde.loadsTyped('json', encoded.text);
  if ('base64' in encoded) return serde.loadsTyped(encoded.type, fromBase64(encoded.base64));
  const pieces = await Promise.all(encoded.parts.map(parts.load));
  const bytes = Buffer.concat(pieces.map((piece) => fromBase64(String(piece))));
  return serde.loadsTyped(encoded.type, new Uint8Array(bytes));
}

function encode({ type, bytes }: SerializedValue): EncodedValue {
  if (type !== 'json') return { type, base64: Buffer.from(bytes).toString('base64') };
  const text = new TextDecoder().decode(bytes);
  const json: unknown = JSON.parse(text);
  return unfitCharacter.test(text) || !isFlat(json, deepest) ? { text } : { json };
}

async function storeParts(
  { type, bytes }: SerializedValue,
  parts: Pick<Parts, 'store'>,
): Promise<EncodedValue> {
  const versions: number[] = [];
  for (let at = 0; at < bytes.length; at += bytesOfPart) {
    const piece = Buffer.from(bytes.subarray(at, at + bytesOfPart));
    versions.push(await parts.store(piece.toString('base64')));
  }
  return { type, parts: versions };
}

function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isFlat(member, levels - 1));
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
