/**
 * The words of a text, with letters and digits of any script, in lower case and joined by `-`: at most `longest`
 * characters; `otherwise` if it has none.
 */
export function slugOf(text: string, otherwise = 'section', longest = 100): string {
  const beginning = text.slice(0, 4 * longest).toLowerCase();
  const words = beginning.match(/[\p{L}\p{N}]+/gu) ?? [];
  const slug = Array.from(words.join('-')).slice(0, longest).join('');
  return slug.replace(/-$/, '') || otherwise;
}
