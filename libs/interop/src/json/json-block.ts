import { type JsonValue, parseJson } from '#event-sourcing';

const opening = '```json\n';
const closing = '\n```';
/** A deeper value could overflow the stack of any code that serializes it. */
const maxNesting = 64;

/**
 * The value of a text that consists of a JSON block as {@link jsonBlock} writes it; undefined for any other text, whose
 * value might lose digits of a number or a repeated member.
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

/** A value as a JSON block. */
export function jsonBlock(value: unknown): string {
  return `${opening}${JSON.stringify(value, null, 2)}${closing}`;
}

/** Also counts brackets in strings: a value that is refused because of them stays text. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > maxNesting) return true;
  }
  return false;
}
