/**
 * Texts of agents contain other texts as programs print them: `
 * ` and `\u2019` as characters, `&quot;` for a quote. An escape separates words: without decoding, `
 * total_rows` would yield the name `ntotal_rows`, which the text does not contain.
 */
export function decodeEscapes(line: string): string {
  const decoded = line.includes('\\') ? decodeBackslashes(line) : line;
  const plain = decoded.includes('[') ? decoded.replaceAll(color, ' ') : decoded;
  return plain.includes('&') ? plain.replace(entity, decodeEntity) : plain;
}

/** The rest of a control sequence of a terminal whose first character was not printed. */
const color = /\[(?:\d{1,2};){0,4}\d{1,2}m(?!\])/g;

/** A path on Windows; its backslashes are not escapes. */
const windowsPath = /(?<![A-Za-z])[A-Za-z]:\\[^\s"'<>|?*]*/g;

/**
 * Alternatives in the order in which they are tried: a control sequence of a terminal, a character code, a line end or
 * tab, an escaped character, a command of TeX or an escaped letter of a regular expression. Text that was printed twice
 * has each backslash twice.
 */
const escape =
  /(?<!\\)\\+(?:(?:u001b|x1b|033|e)\[[\d;?]{0,32}[A-Za-z]|u(?:\{(?<point>[0-9A-Fa-f]{1,6})\}|(?<hex4>[0-9A-Fa-f]{4}))|x(?<hex2>[0-9A-Fa-f]{2})|(?<lineEnd>[nrt])(?!\w*\{)|(?<itself>["'`/])|(?<command>[A-Za-z]\w*))/g;

const entity =
  /&(?:(?<name>lt|gt|quot|apos|amp|nbsp)|#(?<number>\d{1,6})|#x(?<hex>[0-9A-Fa-f]{1,6}));/g;
const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
  nbsp: ' ',
};

type Groups = Readonly<Record<string, string | undefined>>;

function decodeBackslashes(line: string): string {
  return line
    .replace(windowsPath, (path) => path.replaceAll(/\\+/g, ' '))
    .replace(escape, (...parts) => decodeEscape(parts.at(-1) as Groups))
    .toWellFormed();
}

function decodeEscape({ point, hex4, hex2, lineEnd, itself }: Groups): string {
  const hex = point ?? hex4 ?? hex2;
  if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
  if (itself !== undefined) return itself;
  // Any other letter may or may not belong to the word, so the whole word is left out.
  return lineEnd === undefined ? ' ' : '\n';
}

function decodeEntity(...parts: readonly unknown[]): string {
  const { name, number, hex } = parts.at(-1) as Groups;
  if (name !== undefined) return entities[name] ?? ' ';
  return characterOf(hex === undefined ? Number(number) : Number.parseInt(hex, 16));
}

/** Returns a space if the code is not that of a visible character. */
function characterOf(code: number): string {
  if (code > 0x10_ffff || code < 0x20) return ' ';
  return code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
}
