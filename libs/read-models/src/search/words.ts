/** Scripts written without spaces: each letter is a word, and several of them a phrase. */
const letterOfUnspaced = String.raw`[\p{L}&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]]`;
const word = new RegExp(
  String.raw`${letterOfUnspaced}\p{M}*|[[\p{L}\p{N}\p{M}]--${letterOfUnspaced}]+`,
  'gv',
);

const beyondAscii = /[^\0-\x7f]/;

/** Longer words are distinguished by their beginning only; PostgreSQL accepts 2,046 bytes. */
const longestWord = 200;

/**
 * The words of a text, in order: runs of letters and digits, whatever stands between them, without case and with
 * Unicode's compatible forms made one. The same for what is searched and for what is asked.
 */
export function wordsOf(text: string): string[] {
  return [...eachWord(text)];
}

/** The same, found while they are iterated. */
export function* eachWord(text: string): Generator<string> {
  // Most texts of agents are ASCII, where looking up properties of characters takes most of the time.
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

/** Of lower-case ASCII; NaN, behind the end, is neither. */
function isLetterOrDigit(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

/** Only the beginning of a long word is looked at, which may be as long as the text. */
function beginning(found: string): string {
  return Array.from(found.slice(0, 2 * longestWord))
    .slice(0, longestWord)
    .join('');
}
