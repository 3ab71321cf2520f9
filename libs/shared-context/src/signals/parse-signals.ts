import { type JsonObject } from '#event-sourcing';

import { type EventData } from '../context.events.js';
import { signalEmitted } from './signal.events.js';
import { type SignalForm, type SignalName, signalForms } from './signal.forms.js';
import { spokenLines } from './spoken-lines.js';

export type ParsedSignal = EventData<'SignalEmitted'>;

// No two parts of an expression that repeat can match the same text, so that each is linear.
const decoration = String.raw`[\s\p{Extended_Pictographic}\uFE0F\u200D•#*_=\x60+-]`;
const lead = new RegExp(
  String.raw`^${decoration}*(?:\d{1,9}[.)]${decoration}+)?(?:\[[xX]\]${decoration}+)?`,
  'u',
);
/** Decoration that says the opposite of a phrase which says that something went well. */
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

/** Where a text shows the form, or reports a status under the words of a signal, no subject is named. */
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
 * The signals in what an agent wrote, in order; one that is only said again about the same subject counts once. A signal
 * is a line that says nothing else, however it is decorated: mentions in prose, quotes, code blocks, placeholders, denials
 * and lines that were cut off are none. Takes time in proportion to the text.
 */
export function parseSignals(text: string): readonly ParsedSignal[] {
  const newest = new Map<string, string>();
  return [...spokenLines(text)].flatMap((line) => {
    const signal = signalIn(line.trimEnd());
    if (!signal) return [];
    const said = JSON.stringify(signal);
    const isAgain = newest.get(signal.subject) === said;
    newest.set(signal.subject, said);
    return isAgain ? [] : [signal];
  });
}

function signalIn(line: string): ParsedSignal | undefined {
  const opening = lead.exec(line)?.[0] ?? '';
  const named = matchAt(phrase, line, opening.length);
  if (!named) return undefined;
  // The expression is made of the names in the table.
  const signal = named[1] as SignalName;
  const form = signalForms[signal];
  if (form.good && denial.test(opening)) return undefined;
  const at = behindNoun(form, line, opening.length + named[0].length);
  return read(signal, { line, at, open: openMarks(opening, named[0]) });
}

/** A place in a line, and the emphasis that was opened before it and not closed. */
type Place = Readonly<{ line: string; at: number; open: string }>;

function read(signal: SignalName, { line, at, open }: Place): ParsedSignal | undefined {
  const token = matchAt(subject, line, at)?.[0] ?? '';
  const name = withoutTrailing(token, open.replaceAll(/[^_]/g, ''));
  if (name === '' || noSubjects.has(name.toLowerCase())) return undefined;
  const detail = detailIn(line.slice(at + token.length), open, signalForms[signal]);
  if (detail === undefined) return undefined;
  const said = Object.keys(detail).length === 0 ? {} : { detail };
  return signalEmitted.schema.safeParse({ signal, subject: name, ...said }).data;
}

/** Empty if nothing more is said; undefined if what is said is not of the form. */
function detailIn(rest: string, open: string, { detail }: SignalForm): JsonObject | undefined {
  if (ending.test(rest.replaceAll(ornaments, ''))) return {};
  const [separator] = dash.exec(rest) ?? [];
  if (separator === undefined || !detail) return undefined;
  const stillOpen = [...open].filter((mark) => !separator.includes(mark)).join('');
  return detail(withoutTrailing(rest.slice(separator.length), stillOpen).trim());
}

function behindNoun({ noun }: SignalForm, line: string, at: number): number {
  if (noun === undefined || !line.slice(at).toLowerCase().startsWith(noun)) return at;
  const behind = matchAt(/[ \t]+[*`]*/y, line, at + noun.length)?.[0] ?? '';
  return behind === '' ? at : at + noun.length + behind.length;
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
