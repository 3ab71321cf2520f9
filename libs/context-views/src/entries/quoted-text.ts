import { type JsonValue } from '#event-sourcing';

import { clip } from '../digests/index.js';

/** Line ends for any reader: all that Python's `splitlines` recognizes. */
const lineEnds = /[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/g;
const severalLines = new RegExp(lineEnds.source);
const backticks = /`+/g;
const nul = /\u0000/g;
const longestSpan = 120;
/** Line ends that JSON does not escape. */
const bareLineEnds = /[\u0085\u2028\u2029]/g;

/** Text as views show it: characters that no prompt can carry are replaced with U+FFFD. */
export function displayText(text: string): string {
  return text.replaceAll(nul, '\uFFFD').toWellFormed();
}

/**
 * A member of a payload, verbatim: in one line if its text is one line, else in a fence that it cannot close, so that
 * no text of an agent can imitate a line of the view.
 */
export function labelled(label: string, value: JsonValue): string {
  if (typeof value !== 'string') return `${label}: ${jsonLine(value)}\n`;
  const text = displayText(value);
  return severalLines.test(text) ? `${label}:\n${fenced(text)}` : `${label}: ${text}\n`;
}

/** JSON in one line, also if its texts contain line ends. */
function jsonLine(value: JsonValue): string {
  return JSON.stringify(value).replaceAll(bareLineEnds, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Quoted lines in a fence, without blank ones. */
export function quoted(text: string): string {
  const lines = displayText(text)
    .split(severalLines)
    .filter((line) => line.trim() !== '');
  return lines.length === 0 ? '' : fenced(lines.join('\n'));
}

/** A value after a label: numbers and booleans in the line, short texts as a code span, everything else in a fence. */
export function quotedValue(label: string, value: JsonValue): string {
  const text = typeof value === 'string' ? displayText(value) : jsonLine(value);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return `${label}: ${text}\n`;
  return text.length > longestSpan || severalLines.test(text)
    ? `${label}:\n${fenced(text)}`
    : `${label}: ${codeSpan(text)}\n`;
}

/** Members of a payload in one fence. */
export function quotedMembers(members: Iterable<readonly [string, JsonValue]>): string {
  return quotedLines(Array.from(members, ([name, value]) => labelled(inLine(name), value)));
}

/** Puts rendered lines into one fence. */
export function quotedLines(lines: readonly string[]): string {
  const text = lines.join('');
  return text === '' ? '' : fenced(text);
}

/**
 * A list after a label, with a line that begins with `-` for each entry: a one-line text verbatim, everything else as
 * JSON.
 */
export function labelledList(label: string, values: readonly JsonValue[]): string {
  if (values.length === 0) return labelled(label, [...values]);
  return [`${label}:\n`, ...values.map((value) => `- ${entryLine(value)}\n`)].join('');
}

function entryLine(value: JsonValue): string {
  const text = typeof value === 'string' ? displayText(value) : undefined;
  return text === undefined || severalLines.test(text) ? jsonLine(value) : text;
}

export function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(backticks)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}

/** A name or an id inside a line. */
export function inLine(text: string): string {
  return displayText(text).replaceAll(lineEnds, ' ');
}

/** A quoted text in a line of the view, as code that it cannot close; `""` if it is empty. */
export function codeSpan(text: string): string {
  const line = inLine(text);
  if (line === '') return '""';
  let longest = 0;
  for (const [run] of line.matchAll(backticks)) longest = Math.max(longest, run.length);
  const delimiter = '`'.repeat(longest + 1);
  const isPadded = line.startsWith('`') || line.endsWith('`');
  return isPadded ? `${delimiter} ${line} ${delimiter}` : `${delimiter}${line}${delimiter}`;
}

/** At most about `room` characters of a line; a code span that is cut is closed. */
export function clippedLine(line: string, room: number): string {
  const cut = clip(line, room);
  if (cut === line) return line;
  let open = '';
  for (const [run] of cut.matchAll(backticks)) {
    if (open === '') open = run;
    else if (run === open) open = '';
  }
  return cut + open;
}
