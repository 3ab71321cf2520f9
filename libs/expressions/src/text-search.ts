/** UTF-16 code units. Up to this length, the search of JavaScript takes only a few steps per character. */
const shortPart = 64;

/**
 * Whether a text contains another one, in time proportional to both (Knuth, Morris and Pratt): for a long part, the
 * search of JavaScript may take time proportional to their product.
 */
export function holds(text: string, part: string): boolean {
  if (part.length <= shortPart) return text.includes(part);
  if (part.length > text.length) return false;
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = 0; at < text.length && matched < part.length; at++)
    matched = extended(part, borders, { matched, by: text.charCodeAt(at) });
  return matched === part.length;
}

/** For each prefix of a part, the length of its longest proper prefix that is also a suffix. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  for (let at = 1; at < part.length; at++)
    borders[at] = extended(part, borders, {
      matched: borders[at - 1] ?? 0,
      by: part.charCodeAt(at),
    });
  return borders;
}

/** The length of the matched prefix after one more character. */
function extended(
  part: string,
  borders: Int32Array,
  { matched: before, by }: Readonly<{ matched: number; by: number }>,
): number {
  let matched = before;
  while (matched > 0 && part.charCodeAt(matched) !== by) matched = borders[matched - 1] ?? 0;
  return part.charCodeAt(matched) === by ? matched + 1 : matched;
}
