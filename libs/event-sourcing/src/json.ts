export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Array.isArray` for JSON: it keeps the type of the elements. */
export function isJsonArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Throws SyntaxError if the text is not JSON. */
export function parseJson(text: string): JsonValue {
  // JSON.parse returns nothing else.
  return JSON.parse(text) as JsonValue;
}

/** A value without references to the texts that it was read from. */
export function copyJson<Value extends JsonValue>(value: Value): Value {
  // JSON that is written and read again is the same.
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** Throws SyntaxError if the text is not a JSON object. */
export function parseJsonObject(text: string): JsonObject {
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  throw new SyntaxError('the text is not a JSON object');
}

/** Throws SyntaxError if the text is not a JSON array. */
export function parseJsonArray(text: string): readonly JsonValue[] {
  const value = parseJson(text);
  if (isJsonArray(value)) return value;
  throw new SyntaxError('the text is not a JSON array');
}

/** Throws SyntaxError if the text is not a JSON string. */
export function parseJsonString(text: string): string {
  const value = parseJson(text);
  if (typeof value === 'string') return value;
  throw new SyntaxError('the text is not a JSON string');
}
