import { type JsonValue, isJsonObject } from '#event-sourcing';

/** Own members of objects only: what else there is has none. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
