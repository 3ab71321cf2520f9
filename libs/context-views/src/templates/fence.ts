import { type JsonValue } from '#event-sourcing';

/** Letters of scripts that put space between words: of others, one word may be a sentence. */
const word = /^[./@#_+-]?[\p{Script=Latin}\d][\p{Script=Latin}\d._\-/:@+#~=&?%]*$/u;
const longestWord = 128;
const shortestFence = 3;
const emptyJson = 2;

/** A text of others, and what is said of it: whether it is a text or JSON, and the label of the path it was found at. */
export type Quotation = Readonly<{ text: string; kind: 'text' | 'json'; label: string }>;

/**
 * Whether a value, whose text is known, says too little to be taken for more than it is: numbers, yes and no, one word,
 * what is empty. A word has at most {@link longestWord} characters: letters of the Latin script, digits and what stands in names,
 * paths, versions and addresses.
 */
export function isPlain(value: JsonValue, text: string): boolean {
  if (typeof value === 'string') return value === '' || isWord(value);
  return typeof value !== 'object' || text.length <= emptyJson;
}

/**
 * Text in a fence that it cannot close: longer than any run of backticks in it, and than `beyond`. Undefined if it would
 * have more than `most` characters, which is found out before it is made.
 */
export function fencedWithin(
  { text, kind, label }: Quotation,
  beyond: number,
  most: number,
): string | undefined {
  const ticks = Math.max(shortestFence, longestRun(text) + 1, beyond + 1);
  const opening = `${kind} source=${label}\n`;
  const ending = text.endsWith('\n') ? '' : '\n';
  if (2 * ticks + opening.length + text.length + ending.length > most) return undefined;
  const fence = '`'.repeat(ticks);
  return `${fence}${opening}${text}${ending}${fence}`;
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
