import { isVisible } from '#event-sourcing';

/** The beginning of a text on one line, of at most this many characters; undefined if it has no visible character. */
export function shortText(text: string, limit: number): string | undefined {
  const line = text
    .slice(0, 8 * limit)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  if (!isVisible(line)) return undefined;
  const letters = Array.from(line.slice(0, 2 * limit + 2));
  const isWhole = letters.length <= limit && text.length <= 8 * limit;
  return isWhole
    ? line
    : `${letters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`;
}
