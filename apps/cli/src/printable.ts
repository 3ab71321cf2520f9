/**
 * Characters that steer a terminal or change the order in which it shows others: controls, marks of text direction,
 * separators of lines and paragraphs, and halves of surrogate pairs. Line feeds are not among them.
 */
const unsafe = /(?!\n)[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Text of others without what could steer the terminal; its lines stay lines. */
export function printable(text: string): string {
  return text.replaceAll('\t', '    ').replace(unsafe, '\u{FFFD}');
}

/** The same on one line, so that it cannot look like a line of the program. */
export function printableLine(text: string): string {
  return printable(text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' '));
}

/** JSON of the same value: as escapes in its strings, as spaces between its parts, where no other control may be. */
export function printableJson(json: string): string {
  return json.replace(unsafe, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? ' ' : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** One line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}
