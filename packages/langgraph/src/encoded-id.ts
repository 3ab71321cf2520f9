import { createHash } from 'node:crypto';

const longestContextId = 128;
const longestStepId = 256;
const controlCharacter = /\p{Cc}/u;

/** No encoded label begins with this. */
const hashed = '__';

/**
 * Encodes labels in the id of a context, which allows few characters: each byte of another character becomes `_` and two
 * hexadecimal digits. Long labels are replaced by their SHA-256.
 */
export function contextIdOf(prefix: string, labels: readonly string[]): string {
  const id = prefix + labels.map(encodeLabel).join('.');
  return id.length > longestContextId ? `${prefix}${hashed}${sha256(JSON.stringify(labels))}` : id;
}

/** Decodes the labels of an id; undefined if it contains their hash. */
export function labelsOf(prefix: string, contextId: string): string[] | undefined {
  const encoded = contextId.slice(prefix.length);
  if (!contextId.startsWith(prefix) || encoded.startsWith(hashed)) return undefined;
  try {
    return encoded.split('.').map(decodeLabel);
  } catch {
    return undefined;
  }
}

/** Returns the id of a step with the name, or with its SHA-256 if a step id may not contain the name. */
export function stepIdOf(prefix: string, name: string): string {
  const id = prefix + name;
  const isUsable = id.isWellFormed() && id.length <= longestStepId && !controlCharacter.test(id);
  return isUsable ? id : `${prefix}sha256:${sha256(name)}`;
}

function encodeLabel(label: string): string {
  return label.replaceAll(/[^A-Za-z0-9-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

function decodeLabel(encoded: string): string {
  return decodeURIComponent(encoded.replaceAll('_', '%'));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
