import { createScanner } from 'jsonc-parser';

/** Events add levels to their content, and requests have at most 64. */
const deepest = 56;
/** The parser needs a few hundred bytes for each value. */
const maxValues = 500_000;

const levels: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** The result of a check before a text is parsed. Offsets count UTF-16 units. */
type ParserCheck = Readonly<{
  firstComment?: number | undefined;
  /** Why the text must not be parsed; the parser is recursive. */
  fault?: Readonly<{ offset: number; detail: string }> | undefined;
}>;

/**
 * Checks a text for content that the parser must not get. The text may have comments, which `scanJson` does not accept.
 */
export function checkParserLimits(json: string): ParserCheck {
  const scanner = createScanner(json, false);
  let [depth, values] = [0, 0];
  let firstComment: number | undefined;
  while (scanner.getPosition() < json.length) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const first = json[offset] ?? '';
    if (first === '/') firstComment ??= offset;
    if (first === ',') values += 1;
    depth += levels[first] ?? 0;
    const detail = tooMuch(depth, values + depth);
    if (detail !== undefined) return { firstComment, fault: { offset, detail } };
  }
  return { firstComment };
}

function tooMuch(depth: number, values: number): string | undefined {
  if (depth > deepest) return `nested deeper than ${deepest} levels: remove some of them`;
  if (values > maxValues) return `more than ${maxValues} values: divide the document`;
  return undefined;
}
