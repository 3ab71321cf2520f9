/**
 * What counts as a fact where the recall of shortened texts is measured: six plain patterns that know nothing of how
 * texts are shortened.
 */
const patterns = {
  paths:
    /(?<![\w/:.@-])(?:(?:\.{1,2}|~)?\/[\w.@-]+(?:\/[\w.@-]+)+|[\w.@-]+(?:\/[\w.@-]+){2,}|(?:[\w.@-]+\/)?[\w-]+\.(?:ts|tsx|js|jsx|mjs|py|md|json|ya?ml|toml|txt|sh|sql|html|css|csv|log|xml|go|rs|java))(?![\w/-])/g,
  urls: /https?:\/\/[^\s"'`<>()[\]{},;|*\\]+/g,
  identifiers:
    /(?<![\w/.-])(?:[A-Z]{2,10}-\d+|[a-z]+-(?:[a-z0-9]+-)*\d+|[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,}|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)(?![\w/-])/g,
  numbers:
    /(?<![\w.,/-])[$€£]?\d+(?:[.,]\d+)*\s?(?:%|(?:ms|s|sec|seconds|min|minutes|hours|days|weeks|[KMGT]i?B|kB|bytes|tokens|lines|rows|files|tests|errors|issues|items|steps|points|users)\b)/g,
  errors:
    /\b(?:[A-Z][A-Za-z0-9]*(?:Error|Exception)|E[A-Z]{2,}(?:NOENT|REFUSED|RESET|EDOUT)|ENOENT|EACCES|EPERM)\b/g,
  verdicts:
    /\b(?:PASS|PASSED|FAIL|FAILED|CONCERNS|BLOCKED|WAIVED|APPROVED|REJECTED|Approved|Rejected|Accepted|Superseded|Done)\b/g,
} as const;

export type FactKind = keyof typeof patterns;

export const factKinds = Object.keys(patterns) as readonly FactKind[];

/** Line ends and tabs of strings that a program has printed as it writes them: they are no part of the word behind them. */
const printedEscape = /\\[nrt]/g;

let last = { text: '', plain: '' };

function plainOf(text: string): string {
  // One text is asked for one fact after the other.
  if (last.text !== text) last = { text, plain: text.replace(printedEscape, ' ') };
  return last.plain;
}

/** The distinct facts of a text, by kind; trailing stops belong to the sentence. */
export function factsIn(text: string): Readonly<Record<FactKind, ReadonlySet<string>>> {
  const plain = plainOf(text);
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

/** Whether a shortened text still tells a fact: by itself, not as part of another word. */
export function tells(text: string, fact: string): boolean {
  const plain = plainOf(text);
  for (let at = plain.indexOf(fact); at >= 0; at = plain.indexOf(fact, at + 1))
    if (!inWord(plain[at - 1], fact.at(0)) && !inWord(plain[at + fact.length], fact.at(-1)))
      return true;
  return false;
}

function inWord(beside: string | undefined, edge: string | undefined): boolean {
  return /\w/.test(beside ?? '') && /\w/.test(edge ?? '');
}
