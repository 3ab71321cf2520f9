import { isVisible } from '#event-sourcing';

/** The beginning of a text on one line, of at most so many characters; undefined if nothing of it can be seen. */
export function shortText(text: string, most: number): string | undefined {
  const line = text
    .slice(0, 8 * most)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  if (!isVisible(line)) return undefined;
  const letters = Array.from(line.slice(0, 2 * most + 2));
  const isWhole = letters.length <= most && text.length <= 8 * most;
  return isWhole
    ? line
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
