import { itemOfRef } from '../documents/item-ref.js';
import { gapAfter } from '../markdown/gap-after.js';
import { markdownLines } from '../markdown/markdown-lines.js';
import { columnsOf } from '../markdown/list-item.js';
import { printTask } from './print-items.js';
import { changeLogHeader } from './print-records.js';
import { type StoryItems, type StoryPart, printPart, storyParts } from './story-sections-text.js';

/** A piece while the story is written. */
type WrittenPiece = { text: string; readonly items: readonly string[] };

/** The order of the parts. */
const order = [
  'global',
  'requirement',
  'task',
  'decision',
  'record',
  'artifact',
  'change',
  'review',
];
const startsPart = /^ {0,3}##? /;

/** Adds new items to the pieces of a story: after the last one of their kind, or as a new part. */
export function insertItems(pieces: WrittenPiece[], items: StoryItems): void {
  const eol = pieces.some(({ text }) => text.includes('\r\n')) ? '\r\n' : '\n';
  const places = lastPlaces(pieces);
  const tasks = insertSubtasks(pieces, items.tasks, eol);
  for (const part of storyParts({ ...items, tasks })) {
    const last = part.heading === '' ? undefined : places.get(part.kinds);
    const isList = part.kinds !== 'decision' && part.kinds !== 'record' && part.kinds !== 'review';
    if (last !== undefined && isList) insertAfter(pieces[last], rowsOf(part, pieces[last]), eol);
    else insertPart(pieces, { part, last, at: endOfPart(pieces, places, part.kinds) }, eol);
  }
}

/** The last piece of each kind; rows of the change log are a separate kind. */
function lastPlaces(pieces: readonly WrittenPiece[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, { items }] of pieces.entries())
    for (const item of items) places.set(kindOf(item), at);
  return places;
}

function kindOf(item: string): string {
  const { kind, key } = itemOfRef(item);
  if (kind !== 'record') return kind;
  return key.startsWith('change-log.') ? 'change' : key.startsWith('task-') ? 'task' : 'record';
}

/** Adds tasks below the last subtask of the same task; returns the others. */
function insertSubtasks(
  pieces: WrittenPiece[],
  tasks: StoryItems['tasks'],
  eol: string,
): StoryItems['tasks'] {
  const places = firstPlaces(pieces);
  const placeOf = ({ partOf }: (typeof tasks)[number]): number =>
    places.get(`task:${partOf}`) ?? -1;
  for (const [parent, below] of Map.groupBy(tasks, placeOf)) {
    const piece = pieces[parent];
    if (!piece) continue;
    const columns = columnsOf(piece.text);
    let last = parent;
    while (isBelow(pieces[last + 1], columns)) last++;
    const indent = piece.text.startsWith('#') ? '' : ' '.repeat(columns + 2);
    insertAfter(pieces[last], below.map((task) => printTask(task, indent)).join(''), eol);
  }
  return tasks.filter((task) => placeOf(task) < 0);
}

function firstPlaces(pieces: readonly WrittenPiece[]): ReadonlyMap<string, number> {
  const places = pieces.flatMap(({ items }, at) => items.map((item) => [item, at] as const));
  return new Map(places.toReversed());
}

function isBelow(piece: WrittenPiece | undefined, columns: number): boolean {
  const [item] = piece?.items ?? [];
  return item !== undefined && kindOf(item) === 'task' && columnsOf(piece?.text ?? '') > columns;
}

/** Rows without the head of the table if it exists already; items of a list if there is no table. */
function rowsOf({ kinds, text }: StoryPart, last: WrittenPiece | undefined): string {
  if (kinds !== 'change') return text;
  const rows = text.slice(changeLogHeader.length);
  if (last?.text.trimStart().startsWith('|')) return rows;
  return rows.replace(/^\| ([^|\n]*) \| [^|\n]* \| (.*) \| [^|\n]* \|$/gm, '- $1: $2');
}

function insertAfter(piece: WrittenPiece | undefined, text: string, eol: string): void {
  if (!piece) return;
  const end = piece.text.trimEnd().length;
  const rest = piece.text.slice(end).replace(/^[ \t]*(?:\r\n|\n|\r)/, '');
  piece.text = piece.text.slice(0, end) + eol + withEnds(text, eol) + rest;
}

type PartPosition = Readonly<{ part: StoryPart; last: number | undefined; at: number }>;

function insertPart(pieces: WrittenPiece[], { part, last, at }: PartPosition, eol: string): void {
  const isMore = last !== undefined && part.heading !== '' && part.kinds !== 'record';
  const before = pieces[at - 1];
  const text = withEnds(isMore ? part.text : printPart(part), eol);
  const above = pieces.slice(0, at).map((piece) => piece.text);
  const fence = closingFence(above.join(''), eol);
  const gap = before === undefined || before.text === '' ? '' : fence + gapAfter(before.text, eol);
  pieces.splice(at, 0, { text: gap + text + (at < pieces.length ? eol : ''), items: [] });
}

/** Closes a block of code that is open at the end of the text, so that the following text is not part of it. */
function closingFence(text: string, eol: string): string {
  const fences = ['```', '~~~', '`'.repeat(40), '~'.repeat(40)].map(
    (marks) => `${eol}${marks}${eol}`,
  );
  const closing = ['', ...fences].find((end) => {
    const last = markdownLines(`${text}${end}${eol}${eol}.`).at(-1);
    return last?.isCode === false;
  });
  return closing ?? '';
}

/** The end of the part with the last item of this kind, or of an earlier kind. */
function endOfPart(
  pieces: readonly WrittenPiece[],
  places: ReadonlyMap<string, number>,
  kind: string,
): number {
  const own = places.get(kind);
  const before = order.slice(0, order.indexOf(kind) + 1).map((one) => places.get(one) ?? -1);
  let at = (own ?? Math.max(...before)) + 1;
  while (at < pieces.length && !startsPart.test(pieces[at]?.text ?? '')) at++;
  return at;
}

function withEnds(text: string, eol: string): string {
  return eol === '\n' ? text : text.replaceAll('\n', eol);
}
