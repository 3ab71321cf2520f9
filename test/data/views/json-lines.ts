import { readFileSync } from 'node:fs';

import { type JsonObject, type JsonValue } from '#event-sourcing';

/** One JSON value a line; split at line feeds only, as the data's own page asks for. */
export function readLines<Line>(path: string): readonly Line[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  // The data's own page says what a line holds.
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Undefined where a text is no JSON: some are broken in their source. */
export function parsedJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

export function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
