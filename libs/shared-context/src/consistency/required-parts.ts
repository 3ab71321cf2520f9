import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type Finding, violation, warning } from './finding.js';
import { memberOf } from './payload.js';

/** Parts whose absence is a warning even if they are not required. */
const expectedParts: readonly string[] = ['title'];

/**
 * Reports empty parts of a document, as errors if they are `required`. A part is named by the members that lead to it,
 * separated by dots: `decisionHistory`, `globalContext.constraints`.
 */
export function missingParts(
  document: JsonObject,
  required: readonly string[],
): readonly Finding[] {
  const requiredParts = new Set(required);
  const expected = expectedParts.filter((part) => !requiredParts.has(part));
  return [
    ...emptyOf(document, [...requiredParts]).map((part) =>
      violation('part-missing', `part:${part}`, 'it is required, and it is empty'),
    ),
    ...emptyOf(document, expected).map((part) =>
      warning('part-missing', `part:${part}`, 'it is empty'),
    ),
  ];
}

function emptyOf(document: JsonObject, parts: readonly string[]): readonly string[] {
  return parts.filter((part) => isEmpty(partOf(document, part)));
}

function partOf(document: JsonObject, part: string): JsonValue | undefined {
  return part.split('.').reduce<JsonValue | undefined>(memberOf, document);
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
