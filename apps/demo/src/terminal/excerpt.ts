/** Text of others, on one line of at most `width` characters: nothing in it may steer the terminal. */
export function excerpt(text: string, width = 100): string {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim());
  const kept = characters.length > width ? [...characters.slice(0, width - 1), '…'] : characters;
  return kept.map(escapeUnprintable).join('');
}

/** JSON of others in the same way. */
export function jsonExcerpt(value: unknown, width = 100): string {
  return excerpt(JSON.stringify(value) ?? 'undefined', width);
}

// Control characters, invisible formatting (text direction among it) and lone surrogates.
function escapeUnprintable(character: string): string {
  if (!/[\p{Cc}\p{Cf}\p{Cs}]/u.test(character)) return character;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
