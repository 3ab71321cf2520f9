const first = /^(\s*)(\S)/u;
const reference = /^(\s*)&#(\d{1,7});/;
const lowest = 33;
const highest = 0x10_ff_ff;

/**
 * Writes the first visible character of a text as a character reference, which Markdown readers show as the character:
 * words that have a meaning in Markdown lose it. {@link unreferenced} reverses this. See CommonMark 0.31.2, section
 * 2.5.
 */
export function referenced(text: string): string {
  return text.replace(
    first,
    (_all, space: string, letter: string) => `${space}&#${letter.codePointAt(0)};`,
  );
}

/** The text if it is unambiguous, otherwise as {@link referenced} writes it. */
export function referencedIf(isNeeded: boolean, text: string): string {
  return isNeeded || reference.test(text) ? referenced(text) : text;
}

/** Reverses {@link referenced}; any other text is unchanged. */
export function unreferenced(text: string): string {
  return text.replace(reference, (all, space: string, digits: string) => {
    const code = Number(digits);
    const isLetter = code >= lowest && code <= highest && !(code >= 0xd8_00 && code <= 0xdf_ff);
    return isLetter ? space + String.fromCodePoint(code) : all;
  });
}
