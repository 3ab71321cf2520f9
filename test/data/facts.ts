/**
 * The definition of facts for the recall of shortened texts: six plain patterns that do not depend on the shortening.
 * `facts.data-spec.ts` compares them with the marks of a person.
 */
const patterns = {
  // Dates with slashes are not paths.
  paths:
    /(?<![\w/:.@\\-])(?!\d+\/\d+\/\d+(?![\w/]))(?:(?:\.{1,2}|~)?\/[\w.@-]+(?:\/[\w.@-]+)+|[\w.@-]+(?:\/[\w.@-]+){2,}|(?:\.?[\w@-]+\/)?\.?[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|js|jsx|mjs|py|md|json|ya?ml|toml|txt|sh|sql|html|css|csv|log|xml|go|rs|java))(?![\w/-])/g,
  urls: /https?:\/\/[^\s"'`<>()[\]{},;|*\\]+/g,
  // Names with dots (each part, but not a file name without its extension), commits, and codes of capitals and digits.
  // Numbers that frameworks assign to calls are not facts, since they only link results to calls.
  identifiers:
    /(?<![\w/\\-])(?!toolu_|chatcmpl-|call_(?=[a-zA-Z]*\d)\w{16,})(?:[A-Z]{2,10}-\d+|[a-z]+-(?:[a-z0-9]+-)*\d+|[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,}|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|(?=[A-Z]*\d)(?=\d*[A-Z])(?!\d+[KMGT]B)[A-Z\d]{5,16}|(?=[a-f]*\d)(?=\d*[a-f])[a-f\d]{7,40})(?![\w/-]|\.[a-z]{1,4}(?![\w(.]))/g,
  numbers:
    /(?<![\w.,/-])(?:[$€£]\d+(?:[.,]\d+)*[kKMBT]?(?![\w])|\d+(?:[.,]\d+)* ?(?:%|(?:ms|s|sec|seconds|min|minutes|hours|days|weeks|[KMGT]i?B|kB|bytes|tokens|lines|rows|files|tests|errors|issues|items|steps|points|users)\b))/g,
  errors:
    /\b(?:[A-Z][A-Za-z0-9]*(?:Error|Exception)|E[A-Z]{2,}(?:NOENT|REFUSED|RESET|EDOUT)|ENOENT|EACCES|EPERM)\b/g,
  verdicts:
    /\b(?:PASS|PASSED|FAIL|FAILED|CONCERNS|BLOCKED|WAIVED|APPROVED|REJECTED|Approved|Rejected|Accepted|Superseded|Done)\b/g,
} as const;

export type FactKind = keyof typeof patterns;

export const factKinds = Object.keys(patterns) as readonly FactKind[];

/** The names of members before their values, as JSON writes them anywhere and YAML at the start of a line: labels. */
const memberName = /"[^"\n]{1,80}"(?=\s*:)|(?<=^[ \t]*(?:- )?)\w+(?=:(?:\s|$))/gm;

/** The distinct facts of a text, by kind; a trailing stop belongs to the sentence. */
export function factsIn(text: string): Readonly<Record<FactKind, ReadonlySet<string>>> {
  const plain = decoded(text).replace(memberName, '""');
  const found = factKinds.map((kind) => [
    kind,
    new Set(
      (plain.match(patterns[kind]) ?? [])
        .map((fact) => fact.replace(/[.:!?]+$/, ''))
        .filter((fact) => fact.length <= 200),
    ),
  ]);
  return Object.fromEntries(found);
}

/** Whether a text contains a fact by itself, not as part of another word. */
export function tells(text: string, fact: string): boolean {
  const plain = decoded(text);
  for (let at = plain.indexOf(fact); at >= 0; at = plain.indexOf(fact, at + 1))
    if (!inWord(plain[at - 1], fact.at(0)) && !inWord(plain[at + fact.length], fact.at(-1)))
      return true;
  return false;
}

function inWord(beside: string | undefined, edge: string | undefined): boolean {
  return /\w/.test(beside ?? '') && /\w/.test(edge ?? '');
}

/** A string that is printed within a string gets a backslash at each level. */
const escape =
  /\\+(?:(?:u001b|x1b|033|e)\[[\d;?]*[A-Za-z]|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([nrt])(?!\w*\{)|(["'`/]))/g;
const entity = /&(?:#(\d{1,6})|(lt|gt|amp|quot|apos|nbsp));/g;
const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
/** Its backslashes are not escapes. */
const windowsPath = /\b[A-Z]:\\+\w[\w.-]*(?:\\+[\w.-]+)+/g;

let last = { text: '', plain: '' };

/** A text without the escapes of programs, so that no letter of an escape is mistaken for a part of a word. */
function decoded(text: string): string {
  // The last text is cached, since many facts of one text are checked in sequence.
  if (last.text !== text) last = { text, plain: decode(text) };
  return last.plain;
}

function decode(text: string): string {
  const plain = text.includes('&') ? text.replace(entity, decodeEntity) : text;
  if (!plain.includes('\\')) return plain;
  return plain
    .replace(windowsPath, (path) => path.replaceAll(/\\+/g, '/'))
    .replace(escape, (...parts: readonly (string | undefined)[]) => decodeEscape(parts));
}

function decodeEscape([, hex4, hex2, blank, itself]: readonly (string | undefined)[]): string {
  const hex = hex4 ?? hex2;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  return blank === undefined ? (itself ?? '') : blankOf(blank);
}

function blankOf(letter: string): string {
  return letter === 't' ? '\t' : '\n';
}

function decodeEntity(_: string, code: string | undefined, name: string | undefined): string {
  return name === undefined ? String.fromCharCode(Number(code)) : (entities[name] ?? '');
}
