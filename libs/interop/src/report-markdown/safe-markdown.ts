import { shortText } from '../text/short-text.js';

const longestLine = 500;
const longestBlock = 2_000;

/**
 * Characters with a meaning in Markdown or HTML within a line; `@` and `#` also make mentions and references on code
 * hosts.
 */
const marks = /[\\`*_[\]<>&|~#$!@]/g;
/** Beginnings of addresses that Markdown readers convert to links. */
const addresses = /(?<=http|https|ftp|mailto|xmpp):|(?<=www)\./gi;
/** Beginnings of a line that make it a list, a table or a rule. A digit cannot be escaped, the mark after it can. */
const lineBegin = /^[-+=:]|(?<=^\d{1,9})[.)](?=\s|$)/;
/** Characters that change the direction of the following text, also outside of the text that contains them. */
const directions = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** A text of others as part of a line: on one line, shortened, and without any meaning in Markdown. */
export function inline(text: string, limit = longestLine): string {
  const short = shortText(text.replace(directions, '\ufffd'), limit);
  if (short === undefined) return '(nothing visible)';
  const cut = text.length > limit && short.endsWith('…') ? ` (${text.length} characters)` : '';
  return `${escaped(short)}${cut}`;
}

/** A value as part of a line: a text unchanged, any other value as JSON. */
export function inlineValue(value: unknown, limit = longestLine): string {
  return inline(typeof value === 'string' ? value : json(value), limit);
}

/** A text or a value as a fenced block, shortened; its lines cannot end the block. */
export function block(value: unknown): string[] {
  const isText = typeof value === 'string';
  const text = isText ? value : json(value, 2);
  const shown = text.slice(0, longestBlock).replace(directions, '\ufffd').toWellFormed();
  const fence = '`'.repeat(Math.max(3, longestRun(shown) + 1));
  const lines = [`${fence}${isText ? 'text' : 'json'}`, ...shown.split(/\r\n|\r|\n/), fence];
  const note = `The first ${longestBlock} of ${text.length} characters.`;
  return text.length > longestBlock ? [...lines, '', note] : lines;
}

function escaped(line: string): string {
  return line.replace(marks, '\\$&').replace(addresses, '\\$&').replace(lineBegin, '\\$&');
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((limit, run) => Math.max(limit, run.length), 0);
}

function json(value: unknown, indent = 0): string {
  return JSON.stringify(value ?? null, null, indent);
}
