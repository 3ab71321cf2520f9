import { type ListItem, listItem } from '../markdown/list-item.js';
import { referencedIf, unreferenced } from '../markdown/character-reference.js';
import { matchedGroups } from '../text/matched-groups.js';

/** The parts of the line of a task. */
export type TaskLine = Readonly<{
  item: ListItem;
  /** Undefined if the line has no number or name for the task. */
  name: string | undefined;
  title: string;
  acceptanceCriteria: readonly string[];
}>;

const named =
  /^(?:\*\*|__)?(?:(task|subtask|sub-task|phase|step)[ \t]+#?([\p{L}\p{N}][\w.-]{0,63}?)(?=[ \t:)*—–]|[.-](?:[ \t]|$)|$)|#?(\d{1,9}(?:\.\d{1,9})+[a-z]?|\d{1,9}(?=[:)]))(?![\p{L}\p{N}]))(?:\*\*|__)?[ \t]*(?:[:.)—–-]+(?=\s|\*|$))?(?:\*\*|__)?[ \t]*/iu;
const references = /\((?:AC|ACs|acceptance criteria)\b[^()]*\)|\((?:ACs?)\d[^()]*\)/gi;
const trailing =
  /(?<![ \t])[ \t]*\((?:ACs?(?=[\s:#\d)])|acceptance criteria)[^()]*\)(?=[*_.\s]*$)/i;
const reference = /#?(\d{1,6}(?:\.\d{1,6})*[a-z]?)(?:[ \t]*[-–][ \t]*#?(?:AC)?(\d{1,6})\b)?/gi;
const longestLine = 20_000;
const longestTitle = 1_000;
/** A wider range is not a list of criteria. */
const widest = 50;

/** The parts of a line that is a task; undefined if the line begins no list item or is too long. */
export function taskLine(line: string): TaskLine | undefined {
  const item = line.length > longestLine ? undefined : listItem(line);
  return item && { item, ...taskText(item.content) };
}

/** The parts of a task in a heading or a list item, without mark and box. */
export function taskText(content: string): Omit<TaskLine, 'item'> {
  const [label, word, name, number] = matchedGroups(named, content.slice(0, 300));
  const all = labelIn(content, label);
  const rest = content.slice(all.length);
  const bare = rest.replace(trailing, '').trim();
  const title = endsInBold(content, all) ? bare.replace(/\*\*|__/, '').trim() : bare;
  const isPart = /phase|step/i.test(word);
  return {
    name: isPart ? `${word.toLowerCase()}-${name}` : name || number || undefined,
    title: shortened(readTitle(title || content.trim())),
    acceptanceCriteria: criteriaIn(rest),
  };
}

/**
 * A title as the content of a task, escaped so that it names no criteria, and, unless it has a label, no other task.
 */
export function printedTitle(title: string, isLabelled: boolean): string {
  const isMark = !isLabelled && taskText(title).name !== undefined;
  return referencedIf(isMark, title.replace(bracket, '&#40;'));
}

function readTitle(title: string): string {
  return unreferenced(title).replace(/&#40;(?=AC|acceptance)/gi, '(');
}

const bracket = /\((?=AC|acceptance)/gi;
const bold = /^(?:\*\*|__)/;
const boldEnd = /(?:\*\*|__)[ \t]*$/;

/** The label without emphasis that begins after it, which belongs to the title. */
function labelIn(content: string, label: string): string {
  return bold.test(content) ? label : label.replace(boldEnd, '');
}

/** Whether emphasis that begins before the label ends in the title. */
function endsInBold(content: string, label: string): boolean {
  return label !== '' && bold.test(content) && !boldEnd.test(label);
}

/** The criteria that a task refers to: `(AC: 1, 2)`, `(AC: #1)`, `(ACs 1-3)`, `(AC2)`, `(AC: All)`. */
function criteriaIn(text: string): string[] {
  const found = (text.match(references) ?? []).flatMap((part) => {
    const numbers = Array.from(part.matchAll(reference), ([, from = '', to]) => range(from, to));
    return numbers.length === 0 && /\ball\b/i.test(part) ? [['All']] : numbers;
  });
  return [...new Set(found.flat())].slice(0, 1_000);
}

function range(from: string, to: string | undefined): string[] {
  const [first, last] = [Number(from), Number(to)];
  if (to === undefined || !(last > first) || last - first > widest)
    return to === undefined ? [`AC${from}`] : [`AC${from}`, `AC${to}`];
  return Array.from({ length: last - first + 1 }, (_, at) => `AC${first + at}`);
}

function shortened(title: string): string {
  return title.length <= longestTitle
    ? title
    : `${title.slice(0, longestTitle - 1).toWellFormed()}…`;
}
