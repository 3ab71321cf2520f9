/** Scripts written without spaces: each letter counts as a word, so that several letters form a phrase. */
const letterOfUnspaced = String.raw`[\p{L}&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]]`;
const word = new RegExp(
  String.raw`${letterOfUnspaced}\p{M}*|[[\p{L}\p{N}\p{M}]--${letterOfUnspaced}]+`,
  'gv',
);

const beyondAscii = /[^\0-\x7f]/;

/** Longer words are truncated to this length; PostgreSQL accepts 2,046 bytes. */
const longestWord = 200;

/**
 * The words of a text, in order: runs of letters and digits, in lower case and in NFKC form. Used for documents and for
 * queries.
 */
export function wordsOf(text: string): string[] {
  return [...eachWord(text)];
}

/** {@link wordsOf} as a generator. */
export function* eachWord(text: string): Generator<string> {
  // Most texts of agents are ASCII, for which looking up Unicode properties would take most of the time.
  if (!beyondAscii.test(text)) return yield* eachAsciiWord(text.toLowerCase());
  for (const [found] of text.normalize('NFKC').toLowerCase().matchAll(word))
    yield found.length > longestWord ? beginning(found) : found;
}

function* eachAsciiWord(text: string): Generator<string, void> {
  for (let at = 0, start = 0; at <= text.length; at++) {
    if (isLetterOrDigit(text.charCodeAt(at))) continue;
    if (at > start) yield text.slice(start, Math.min(at, start + longestWord));
    start = at + 1;
  }
}

/** Expects lower-case ASCII; false for NaN, which is read after the end. */
function isLetterOrDigit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** Splits only the beginning into characters, since the word may be as long as the text. */
function beginning(found: string): string {
  return Array.from(found.slice(0, 2 * longestWord))
    .slice(0, longestWord)
    .join('');
}
