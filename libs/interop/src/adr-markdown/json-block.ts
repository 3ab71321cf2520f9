import { type JsonValue } from '#event-sourcing';

const opening = '```json\n';
const closing = '\n```';

/** The value of a text that is one block of JSON and nothing else; undefined for any other text. */
export function onlyJson(text: string): JsonValue | undefined {
  if (!text.startsWith(opening) || !text.endsWith(closing)) return undefined;
  try {
    // JSON.parse returns nothing but JSON.
    return JSON.parse(text.slice(opening.length, -closing.length)) as JsonValue;
  } catch {
    return undefined;
  }
}

/** A value as such a block. */
export function jsonBlock(value: unknown): string {
  return `${opening}${JSON.stringify(value, null, 2)}${closing}`;
}
