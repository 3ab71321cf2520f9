import { type JsonValue } from '#event-sourcing';

const word = /^[A-Za-z0-9._-]{1,64}$/;
const shortestFence = 3;
const emptyJson = 2;

/** A text of others: whether it is a text or JSON, and the label of its path. */
export type Quotation = Readonly<{ text: string; kind: 'text' | 'json'; label: string }>;

/** How a value of others is shown: in the line, as a code span in the line, or in a fence. */
type QuotationForm = 'inline' | 'span' | 'block';

/**
 * The form of a value with this text: numbers, booleans and empty values are `inline`; a word of at most 64 letters,
 * digits and `._-` is a `span`; any other text is a `block`.
 */
export function quotationForm(value: JsonValue, text: string): QuotationForm {
  if (typeof value === 'string') return stringForm(value);
  return typeof value !== 'object' || text.length <= emptyJson ? 'inline' : 'block';
}

/**
 * Text in a fence that it cannot close: longer than any run of backticks in it, and longer than `beyond`. Undefined if
 * it would have more than `limit` characters, which is checked before the text is made.
 */
export function fencedWithin(
  { text, kind, label }: Quotation,
  beyond: number,
  limit: number,
): string | undefined {
  const ticks = Math.max(shortestFence, longestRun(text) + 1, beyond + 1);
  const opening = `${kind} source=${label}\n`;
  const ending = text.endsWith('\n') ? '' : '\n';
  if (2 * ticks + opening.length + text.length + ending.length > limit) return undefined;
  const fence = '`'.repeat(ticks);
  return `${fence}${opening}${text}${ending}${fence}`;
}

/** The length of the longest run of backticks. */
export function longestRun(text: string): number {
  let longest = 0;
  for (let at = text.indexOf('`'); at !== -1; at = text.indexOf('`', at)) {
    const start = at;
    while (text[at] === '`') at += 1;
    longest = Math.max(longest, at - start);
  }
  return longest;
}

function stringForm(text: string): QuotationForm {
  if (text === '') return 'inline';
  return word.test(text) ? 'span' : 'block';
}
