import { type JsonValue, type Sha256 } from '#event-sourcing';

/**
 * The same text for all values that are equal as JSON: members sorted by the UTF-16 units of their names, no white
 * space, numbers and texts as ECMAScript writes them (as in RFC 8785).
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join()}]`;
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
  return `{${members.join()}}`;
}

/** The hash that identifies a version of a definition: comments and the order of members do not change it. */
export function definitionHash(definition: JsonValue, sha256: Sha256): string {
  return sha256(canonicalJson(definition));
}

function isList(value: JsonValue): value is readonly JsonValue[] & JsonValue {
  return Array.isArray(value);
}
