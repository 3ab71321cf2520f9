/**
 * Characters that control a terminal or reorder its text: control characters except line feeds, direction marks, line and
 * paragraph separators, and lone surrogates.
 */
const unsafe = /(?!\n)[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Replaces control characters in untrusted text; line feeds remain. */
export function printable(text: string): string {
  return text.replaceAll('\t', '    ').replace(unsafe, '\u{FFFD}');
}

/** Also puts the text on one line, so that it cannot imitate a line of the program. */
export function printableLine(text: string): string {
  return printable(text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' '));
}

/** Escapes control characters without changing the JSON value. Those below U+0020 occur only between tokens and become spaces. */
export function printableJson(json: string): string {
  return json.replace(unsafe, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? ' ' : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Shortens the text to one line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = printable(text.replace(/\s+/g, ' ').trim());
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}
