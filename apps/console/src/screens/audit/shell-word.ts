import { visibleText } from '../../ui/visible-text.js';

/** A text as one word of a command that a person copies: an id in the address may come from another person. */
export function shellWord(text: string): string {
  if (/^[\w.][\w.-]*$/.test(text)) return text;
  return `'${visibleText(text).replaceAll("'", String.raw`'\''`)}'`;
}
