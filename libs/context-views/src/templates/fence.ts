import { type JsonValue } from '#event-sourcing';

/** Letters of scripts that put space between words: of others, one word may be a sentence. */
const word = /^[./@#_+-]?[\p{Script=Latin}\d][\p{Script=Latin}\d._\-/:@+#~=&?%]*$/u;
const longestWord = 128;
const longestLabel = 200;
const shortestFence = 3;

/** A value as text. Objects and lists are JSON, what is not there is nothing. */
export function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Whether a value says too little to be taken for more than it is: numbers, yes and no, one word, what is empty. A word
 * has at most {@link longestWord} characters: letters of the Latin script, digits and what stands in names, paths, versions and
 * addresses.
 */
export function isPlain(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value === '' || isWord(value);
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

/**
 * Text in a fence that it cannot close: longer than any run of backticks in it, and than `beyond`. The label says what
 * it is and where it stands.
 */
export function fenced(value: JsonValue, path: readonly string[], beyond: number): string {
  const text = textOf(value);
  const length = Math.max(shortestFence, longestRun(text) + 1, beyond + 1);
  const fence = '`'.repeat(length);
  const kind = typeof value === 'string' ? 'text' : 'json';
  const end = text.endsWith('\n') ? '' : '\n';
  return `${fence}${kind} source=${labelOf(path)}\n${text}${end}${fence}`;
}

/** How many backticks stand next to each other at most. */
export function longestRun(text: string): number {
  let longest = 0;
  for (let at = text.indexOf('`'); at !== -1; at = text.indexOf('`', at)) {
    const start = at;
    while (text[at] === '`') at += 1;
    longest = Math.max(longest, at - start);
  }
  return longest;
}

function isWord(text: string): boolean {
  return text.length <= longestWord && word.test(text);
}

/** Names may be anybody's text as well: what is not of a name is encoded by percent. */
function labelOf(path: readonly string[]): string {
  const label = path
    .map((name) => encodeURIComponent(name.slice(0, longestLabel).toWellFormed()))
    .map((name) => name.replaceAll('.', '%2E'))
    .join('.');
  return label.length > longestLabel ? `${label.slice(0, longestLabel)}…` : label;
}
