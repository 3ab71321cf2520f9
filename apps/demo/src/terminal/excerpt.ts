/** Puts untrusted text on one line of at most `width` characters, and escapes control characters. */
export function excerpt(text: string, width = 100): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim());
  const shortened =
    characters.length > width ? [...characters.slice(0, width - 1), '…'] : characters;
  return shortened.map(escapeUnprintable).join('');
}

/** Does the same for untrusted JSON. */
export function jsonExcerpt(value: unknown, width = 100): string {
  return excerpt(JSON.stringify(value) ?? 'undefined', width);
}

// Control characters, invisible formatting (text direction among it) and lone surrogates.
function escapeUnprintable(character: string): string {
  if (!/[\p{Cc}\p{Cf}\p{Cs}]/u.test(character)) return character;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
