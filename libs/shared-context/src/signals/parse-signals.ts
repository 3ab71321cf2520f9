import { type JsonObject } from '#event-sourcing';

import { type EventData } from '../context.events.js';
import { signalEmitted } from './signal.events.js';
import { type SignalForm, type SignalName, signalForms } from './signal.forms.js';
import { unquotedLines } from './unquoted-lines.js';

export type ParsedSignal = EventData<'SignalEmitted'>;

// No two repeated parts of these expressions can match the same text, so that matching takes linear time.
const decoration = String.raw`[\s\p{Extended_Pictographic}\uFE0F\u200D•#*_=\x60+-]`;
const lead = new RegExp(
  String.raw`^${decoration}*(?:\d{1,9}[.)]${decoration}+)?(?:\[[xX]\]${decoration}+)?`,
  'u',
);
/** Decoration that contradicts a phrase about success. */
const denial = /[❌✖🚫⛔🛑⏳⌛]/u;
const phrases = Object.keys(signalForms).sort((left, right) => right.length - left.length);
const phrase = new RegExp(
  `(${phrases.join('|')})[*_\`]*[ \\t]*:(?:[*_\`]+(?=[ \\t]))?[ \\t]*[*\`]*`,
  'y',
);
const subject = /[\p{L}\p{N}_](?:[^\s*`]*[\p{L}\p{N}_])?/uy;
const dash = /^[*_`]*[ \t]+(?:--?|[–—])[ \t]+/;
const ornaments = /[\s\p{Extended_Pictographic}\uFE0F\u200D#*_`]+/gu;
const ending = /^[.!]?(?:-{2,}|={2,})?$/;
const bullet = /^\s*[*+-]\s/;
const emphasis = ['*', '_', '`'];

/** Words that are not subjects: a text has them in examples of the form, and in status reports. */
const noSubjects: ReadonlySet<string> = new Set([
  'id',
  'story',
  'epic',
  'story-id',
  'story_id',
  'epic-id',
  'epic_id',
  'storyid',
  'epicid',
  'yes',
  'no',
  'not',
  'none',
  'never',
  'true',
  'false',
  'n/a',
  'tbd',
  'pending',
  'partial',
]);

/**
 * The signals in a text by an agent, in order; a repeated signal about the same subject counts once. A signal is a line
 * with nothing else but decoration: mentions in prose, quotes, code blocks, placeholders, denials and truncated lines
 * are not signals. Takes time in proportion to the text.
 */
export function parseSignals(text: string): readonly ParsedSignal[] {
  const newest = new Map<string, string>();
  return [...unquotedLines(text)].flatMap((line) => {
    const signal = signalIn(line.trimEnd());
    if (!signal) return [];
    const signalText = JSON.stringify(signal);
    const isRepeated = newest.get(signal.subject) === signalText;
    newest.set(signal.subject, signalText);
    return isRepeated ? [] : [signal];
  });
}

function signalIn(line: string): ParsedSignal | undefined {
  const opening = lead.exec(line)?.[0] ?? '';
  const named = matchAt(phrase, line, opening.length);
  if (!named) return undefined;
  // The expression contains exactly the names in the table.
  const signal = named[1] as SignalName;
  const form = signalForms[signal];
  if (form.reportsSuccess && denial.test(opening)) return undefined;
  const at = positionAfterNoun(form, line, opening.length + named[0].length);
  return parseSignal(signal, { line, at, open: openMarks(opening, named[0]) });
}

/** A place in a line, and the emphasis marks that are open there. */
type LinePosition = Readonly<{ line: string; at: number; open: string }>;

function parseSignal(
  signal: SignalName,
  { line, at, open }: LinePosition,
): ParsedSignal | undefined {
  const token = matchAt(subject, line, at)?.[0] ?? '';
  const name = withoutTrailing(token, open.replaceAll(/[^_]/g, ''));
  if (name === '' || noSubjects.has(name.toLowerCase())) return undefined;
  const detail = detailIn(line.slice(at + token.length), open, signalForms[signal]);
  if (detail === undefined) return undefined;
  const detailMember = Object.keys(detail).length === 0 ? {} : { detail };
  return signalEmitted.schema.safeParse({ signal, subject: name, ...detailMember }).data;
}

/** The detail in the rest of a line: empty if there is no rest, undefined if the rest does not have the form. */
function detailIn(rest: string, open: string, { detail }: SignalForm): JsonObject | undefined {
  if (ending.test(rest.replaceAll(ornaments, ''))) return {};
  const [separator] = dash.exec(rest) ?? [];
  if (separator === undefined || !detail) return undefined;
  const stillOpen = [...open].filter((mark) => !separator.includes(mark)).join('');
  return detail(withoutTrailing(rest.slice(separator.length), stillOpen).trim());
}

function positionAfterNoun({ noun }: SignalForm, line: string, at: number): number {
  if (noun === undefined || !line.slice(at).toLowerCase().startsWith(noun)) return at;
  const space = matchAt(/[ \t]+[*`]*/y, line, at + noun.length)?.[0] ?? '';
  return space === '' ? at : at + noun.length + space.length;
}

function openMarks(opening: string, named: string): string {
  const before = opening.replace(bullet, '');
  return emphasis.filter((mark) => before.includes(mark) && !named.includes(mark)).join('');
}

function withoutTrailing(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function matchAt(expression: RegExp, line: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(line);
}
