import { type JsonValue, isExactNumber, isJsonArray, parseJson, utf8Length } from '#event-sourcing';

import { type ScannedJson, scanJson } from './scan-json.js';

/** Requests hold JSON of at most 64 levels, and events are some levels inside of a request. */
const deepestOutput = 58;

/** Bytes of a value's JSON that leave room in an append of 1 MiB for what else the event holds. */
export const longestOutput = 900_000;

export const tooLong = `it is longer than ${longestOutput} bytes, which one event does not hold`;

/** The value of a JSON text, or why no value holds what the text says. */
type ExactJson =
  | Readonly<{ value: JsonValue; fault?: undefined }>
  | Readonly<{ value?: undefined; fault: string }>;

/** Reads a JSON text as a value if that changes nothing and the value fits an event. Throws JsonTextError. */
export function readExactJson(text: string): ExactJson {
  const read = readUnboundedJson(text);
  return read.fault === undefined && isTooLong(read.value, text) ? { fault: tooLong } : read;
}

/** As {@link readExactJson}, however long the value is. */
export function readUnboundedJson(text: string): ExactJson {
  const scanned = scanJson(text);
  const fault = faultOf(scanned);
  if (fault !== undefined) return { fault };
  const value = parseJson(text);
  return countNames(value) === scanned.names ? { value } : { fault: 'it names a member twice' };
}

/** Bytes of the JSON that says a value. */
export function jsonBytes(value: JsonValue): number {
  return utf8Length(JSON.stringify(value));
}

/** A text in parts whose JSON is so short that an event holds each; characters are not divided. */
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
  return inexact === undefined ? undefined : `no double holds ${shown(inexact)} exactly`;
}

function shown(literal: string): string {
  return literal.length <= 40 ? literal : `a number of ${literal.length} digits`;
}

/** Only of values that are not nested deep. */
function countNames(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (isJsonArray(value)) return value.reduce<number>((sum, one) => sum + countNames(one), 0);
  const members = Object.values(value);
  return members.reduce<number>((sum, one) => sum + countNames(one), members.length);
}

/** A short text can become several times as long: `1e20` is written as 21 digits. */
function isTooLong(value: JsonValue, text: string): boolean {
  return text.length > longestOutput / 8 && jsonBytes(value) > longestOutput;
}

/** At most so many bytes, in UTF-8 and with its escape in JSON. */
function bytesOf(code: number): number {
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x80) return 1;
  return code < 0x800 ? 2 : 3;
}

function isInsidePair(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
