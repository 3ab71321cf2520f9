import { type JsonValue, isJsonObject } from '#event-sourcing';

/** An own member of an object; undefined for every other value. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
