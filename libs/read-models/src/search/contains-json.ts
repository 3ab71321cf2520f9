import { type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';

/**
 * Whether one JSON value contains another, by the rules of `@>` in PostgreSQL: an object must contain each member, an
 * array some matching element for each element, and any other value must be equal.
 */
export function containsJson(value: JsonValue | undefined, part: JsonValue): boolean {
  if (isJsonArray(part))
    return (
      isJsonArray(value) &&
      part.every((element) => value.some((candidate) => containsJson(candidate, element)))
    );
  if (!isJsonObject(part)) return value === part;
  return (
    isJsonObject(value) &&
    Object.entries(part).every(
      ([name, member]) => Object.hasOwn(value, name) && containsJson(value[name], member),
    )
  );
}
