import { isUtf8 } from 'node:buffer';

import { type JsonValue } from '#event-sourcing';

import { InvalidJsonError, UnfitJsonError } from './json.errors.js';
import { JsonScanner } from './json.scanner.js';

export type StrictJson = Readonly<{ text: string; value: JsonValue }>;

/**
 * Reads a body so that nothing in it is silently changed: UTF-8 only, no key twice, nesting of at most 64, and
 * only numbers a double keeps. Throws {@link InvalidJsonError} or {@link UnfitJsonError}.
 *
 * A scan over the text refuses what `JSON.parse` would change; the values then come from `JSON.parse`, which
 * copies strings (a short id never keeps a megabyte of body alive) and makes `__proto__` an own property.
 */
export function readStrictJson(bytes: Uint8Array): StrictJson {
  if (!isUtf8(bytes)) throw new InvalidJsonError('the body is not valid UTF-8');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const faults = new JsonScanner(text).scan();
  if (faults.length > 0) throw new UnfitJsonError(faults);
  return { text, value: JSON.parse(text) };
}
