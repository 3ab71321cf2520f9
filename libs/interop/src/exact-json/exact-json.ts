import { type JsonValue, isExactNumber, isJsonArray, parseJson, utf8Length } from '#event-sourcing';

import { type ScannedJson, scanJson } from './scan-json.js';

/** Requests may have JSON of at most 64 levels, and the value of an event is some levels deep in a request. */
const deepestOutput = 58;

/** Maximum bytes of the JSON of a value, which leave room for the rest of the event in an append of 1 MiB. */
export const longestOutput = 900_000;

export const tooLong = `it is longer than ${longestOutput} bytes, the limit of one event`;

/** The value of a JSON text, or the reason why no value represents it. */
type ExactJson =
  | Readonly<{ value: JsonValue; fault?: undefined }>
  | Readonly<{ value?: undefined; fault: string }>;

/**
 * Reads a JSON text as a value if that preserves its content and the value fits into an event. Throws JsonTextError.
 */
export function readExactJson(text: string): ExactJson {
  const read = readUnboundedJson(text);
  return read.fault === undefined && isTooLong(read.value, text) ? { fault: tooLong } : read;
}

/** As {@link readExactJson}, for a value of any length. */
export function readUnboundedJson(text: string): ExactJson {
  const scanned = scanJson(text);
  const fault = faultOf(scanned);
  if (fault !== undefined) return { fault };
  const value = parseJson(text);
  return countNames(value) === scanned.names ? { value } : { fault: 'it has a member twice' };
}

/** The bytes of a value as JSON. */
export function jsonBytes(value: JsonValue): number {
  return utf8Length(JSON.stringify(value));
}

/** Divides a text into parts whose JSON fits into an event each; characters are not divided. */
export function textParts(text: string, maxBytes = longestOutput): string[] {
  const parts: string[] = [];
  let [start, bytes] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const more = bytesOf(text.charCodeAt(at));
    if (bytes + more > maxBytes) {
      const end = isInsidePair(text, at) ? at - 1 : at;
      parts.push(text.slice(start, end));
      [start, bytes] = [end, 0];
    }
    bytes += more;
  }
  parts.push(text.slice(start));
  return parts;
}

function faultOf({ depth, longNumbers }: ScannedJson): string | undefined {
  if (depth > deepestOutput) return `it is nested deeper than ${deepestOutput}`;
  const inexact = longNumbers.find((written) => !isExactNumber(written));
  return inexact === undefined ? undefined : `no double represents ${shown(inexact)} exactly`;
}

function shown(literal: string): string {
  return literal.length <= 40 ? literal : `a number of ${literal.length} digits`;
}

/** Recursive, so only for values without deep nesting. */
function countNames(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (isJsonArray(value)) return value.reduce<number>((sum, one) => sum + countNames(one), 0);
  const members = Object.values(value);
  return members.reduce<number>((sum, one) => sum + countNames(one), members.length);
}

/** The JSON of a value can be several times as long as its text: `1e20` is written as 21 digits. */
function isTooLong(value: JsonValue, text: string): boolean {
  return text.length > longestOutput / 8 && jsonBytes(value) > longestOutput;
}

/** The maximum bytes of a UTF-16 unit in UTF-8, with its escape in JSON. */
function bytesOf(code: number): number {
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x80) return 1;
  return code < 0x800 ? 2 : 3;
}

function isInsidePair(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
