import { type JsonValue } from '#event-sourcing';

/** Whether a value has members that are null, which a merge patch removes. */
export function hasNull(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value === null;
  return Object.values(value).some(hasNull);
}
