import { type JsonObject, type JsonValue } from '#event-sourcing';

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own members of objects only: what else there is has none. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
