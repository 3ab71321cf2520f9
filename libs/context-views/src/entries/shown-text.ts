import { type JsonValue } from '#event-sourcing';

/** Whatever ends a line for some reader: all that Python's `splitlines` goes by. */
const lineEnds = /[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/g;
const severalLines = new RegExp(lineEnds.source);
const backticks = /`+/g;
const nul = /\u0000/g;
/** Ends of lines that JSON leaves as they are. */
const bareLineEnds = /[\u0085\u2028\u2029]/g;

/** Text as views show it: what no prompt can carry is U+FFFD. */
export function shownText(text: string): string {
  return text.replaceAll(nul, '\uFFFD').toWellFormed();
}

/**
 * A member of a payload, verbatim: in one line where its text is one, and else in a fence that nothing in it closes, so
 * that no agent's text can pass for a line of the view.
 */
export function labelled(label: string, value: JsonValue): string {
  if (typeof value !== 'string') return `${label}: ${jsonLine(value)}\n`;
  const text = shownText(value);
  return severalLines.test(text) ? `${label}:\n${fenced(text)}` : `${label}: ${text}\n`;
}

/** The same JSON, in one line whatever its texts hold. */
function jsonLine(value: JsonValue): string {
  return JSON.stringify(value).replaceAll(bareLineEnds, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Lines of others, each marked as quoted. */
export function quoted(text: string): string {
  return shownText(text)
    .split(severalLines)
    .filter((line) => line.trim() !== '')
    .map((line) => `> ${line}\n`)
    .join('');
}

export function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(backticks)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}

/** Names and ids inside a line. */
export function inLine(text: string): string {
  return shownText(text).replaceAll(lineEnds, ' ');
}

/** A name in a list of words: in quotes where it could pass for more than one of them. */
export function quotedName(name: string): string {
  const text = inLine(name);
  return /[,"]/.test(text) ? JSON.stringify(text) : text;
}
