import { type JsonValue, parseJson } from '#event-sourcing';

const opening = '```json\n';
const closing = '\n```';
/** Deeper values would overflow the stack of whoever writes them again. */
const maxNesting = 64;

/**
 * The value of a text that is a block of JSON as {@link jsonBlock} writes it; undefined for any other text: of that, a value could
 * lose a number's digits or a repeated member.
 */
export function onlyJson(text: string): JsonValue | undefined {
  if (!text.startsWith(opening) || !text.endsWith(closing) || isDeep(text)) return undefined;
  try {
    const value = parseJson(text.slice(opening.length, -closing.length));
    return jsonBlock(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A value as such a block. */
export function jsonBlock(value: unknown): string {
  return `${opening}${JSON.stringify(value, null, 2)}${closing}`;
}

/** Counts brackets in strings too: a value that is refused for them stays text. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > maxNesting) return true;
  }
  return false;
}
