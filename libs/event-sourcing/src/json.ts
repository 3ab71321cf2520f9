export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Array.isArray` for JSON, which preserves the type of the elements. */
export function isJsonArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Throws SyntaxError if the text is not JSON. */
export function parseJson(text: string): JsonValue {
  // JSON.parse returns only JSON values.
  return JSON.parse(text) as JsonValue;
}

/** Copies a value, so that it holds no references to the text from which it was parsed. */
export function copyJson<Value extends JsonValue>(value: Value): Value {
  // JSON that is serialized and parsed again is equal.
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
