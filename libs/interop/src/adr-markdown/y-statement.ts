/** The neglected option and the accepted effect of a Y-statement. Source: Zimmermann, "Y-Statements", medium.com/olzzio. */
export type YStatement = Readonly<{
  statement: string;
  neglected?: string | undefined;
  accepted?: string | undefined;
}>;

const opening = 'in the context of';
const decided = /\bwe (?:have )?(?:decided|chose|choose|decide)\b/i;
const neglecting = /(?:\band )?\b(?:neglected|neglecting|and against|rejected)\b/i;
const achieving = /\bto achieve\b|\bto \w+\b/i;
const accepting = /\baccepting(?: that| the)?\b/i;
/** Longer paragraphs are not statements. */
const longestStatement = 5_000;

/**
 * Finds a paragraph like "In the context of the web shop, facing many sessions, we decided for PostgreSQL and neglected
 * Redis, to achieve durability, accepting that reads take longer."; undefined if the text has none.
 */
export function findYStatement(text: string): YStatement | undefined {
  const found = text
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.trim())
    .find(isStatement);
  if (found === undefined) return undefined;
  const rest = after(found, decided);
  return {
    statement: found,
    neglected: clause(after(rest, neglecting), achieving),
    accepted: clause(after(rest, accepting), undefined),
  };
}

function isStatement(paragraph: string): boolean {
  const beginning = paragraph.slice(0, 60).toLowerCase();
  return (
    paragraph.length <= longestStatement && beginning.includes(opening) && decided.test(paragraph)
  );
}

function after(text: string, mark: RegExp): string {
  const found = mark.exec(text);
  return found ? text.slice(found.index + found[0].length) : '';
}

function clause(text: string, end: RegExp | undefined): string | undefined {
  const found = end?.exec(text);
  const said = text.slice(0, found?.index).replaceAll('**', '');
  const bare = said.trim().replace(/^[\s,:]+/, '');
  return trimmedEnd(bare) || undefined;
}

function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' ,.;\n'.includes(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}
