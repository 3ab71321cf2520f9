import { readFileSync } from 'node:fs';

import { type JsonObject, type JsonValue } from '#event-sourcing';

/** One JSON value per line; splits at line feeds only, as the documentation of the data requires. */
export function readLines<Line>(path: string): readonly Line[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  // The documentation of the data describes its lines.
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Undefined if a text is not JSON: some are broken in their source. */
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
