import { shortText } from '../text/short-text.js';

const longestLine = 500;
const longestBlock = 2_000;

/** What Markdown or HTML gives a meaning within a line; `@` and `#` also make mentions and references on hosts of code. */
const marks = /[\\`*_[\]<>&|~#$!@]/g;
/** Beginnings of addresses that readers of Markdown make links of. */
const addresses = /(?<=http|https|ftp|mailto|xmpp):|(?<=www)\./gi;
/** What makes a list, a table or a rule of a line, if it begins with that. A digit has no escape, the mark behind it has. */
const lineBegin = /^[-+=:]|(?<=^\d{1,9})[.)](?=\s|$)/;
/** They turn the direction of what follows, beyond the text that they are in. */
const directions = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** Text of somebody else as part of a line: on one line, shortened, and without any meaning in Markdown. */
export function inline(text: string, most = longestLine): string {
  const short = shortText(text.replace(directions, '\ufffd'), most);
  if (short === undefined) return '(nothing visible)';
  const cut = text.length > most && short.endsWith('…') ? ` (${text.length} characters)` : '';
  return `${escaped(short)}${cut}`;
}

/** A value as part of a line; texts as they are, anything else as JSON. */
export function inlineValue(value: unknown, most = longestLine): string {
  return inline(typeof value === 'string' ? value : json(value), most);
}

/** A text or value as a fenced block, shortened; its lines cannot end the block. */
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
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

function json(value: unknown, indent = 0): string {
  return JSON.stringify(value ?? null, null, indent);
}
