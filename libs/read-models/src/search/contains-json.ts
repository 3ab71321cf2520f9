import { type JsonValue, isJsonArray, isJsonObject } from '#event-sourcing';

/**
 * Whether one JSON value contains another, as `@>` of PostgreSQL has it: an object the members of the other, an array
 * some element for each of the other's, anything else its equal.
 */
export function containsJson(whole: JsonValue | undefined, part: JsonValue): boolean {
  if (isJsonArray(part))
    return (
      isJsonArray(whole) &&
      part.every((wanted) => whole.some((element) => containsJson(element, wanted)))
    );
  if (!isJsonObject(part)) return whole === part;
  return (
    isJsonObject(whole) &&
    Object.entries(part).every(
      ([name, wanted]) => Object.hasOwn(whole, name) && containsJson(whole[name], wanted),
    )
  );
}
