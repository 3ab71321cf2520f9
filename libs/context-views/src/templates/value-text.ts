import { type JsonObject, type JsonValue } from '#event-sourcing';

import { isList } from './members.js';

/** Characters that JSON may have to escape. */
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * A value as text: lists and objects as JSON. Undefined if the text would have more than `limit` characters, which is
 * checked before the text is made.
 */
export function textWithin(value: JsonValue, limit: number): string | undefined {
  if (typeof value === 'string') return value.length <= limit ? value : undefined;
  return isJsonWithin(value, limit) ? JSON.stringify(value) : undefined;
}

/** Measures a value until its JSON is known to be too long. */
function isJsonWithin(value: JsonValue, limit: number): boolean {
  let left = limit;
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined && left >= 0; next = open.pop()) {
    if (typeof next !== 'object' || next === null) left -= scalarLength(next, left);
    else left = pushParts(next, left, open);
  }
  return left >= 0;
}

/** Adds the entries or members of a value to the values that still have to be measured, if there is room left. */
function pushParts(value: readonly JsonValue[] | JsonObject, limit: number, open: JsonValue[]) {
  if (isList(value)) {
    const left = limit - bracketsAndCommas(value.length);
    if (left >= 0) for (const entry of value) open.push(entry);
    return left;
  }
  const names = Object.keys(value);
  let left = limit - bracketsAndCommas(names.length);
  for (const name of names) {
    left -= stringLength(name, left) + 1;
    if (left < 0) break;
    open.push(value[name] ?? null);
  }
  return left;
}

function bracketsAndCommas(parts: number): number {
  return 2 + Math.max(0, parts - 1);
}

function scalarLength(value: string | number | boolean | null, limit: number): number {
  if (typeof value === 'string') return stringLength(value, limit);
  return isDigit(value) ? 1 : String(value).length;
}

/** A text that is too long even without escapes is not escaped to measure it. */
function stringLength(text: string, limit: number): number {
  const length = text.length + 2;
  return length > limit || !escaped.test(text) ? length : JSON.stringify(text).length;
}

function isDigit(value: number | boolean | null): boolean {
  return typeof value === 'number' && value >= 0 && value < 10 && Number.isInteger(value);
}
