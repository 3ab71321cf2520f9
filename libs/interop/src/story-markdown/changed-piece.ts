import { type SourcePiece } from '#shared-context';

import { type ContextDocument } from '../documents/context-document.js';
import { areSame, findEntry } from '../documents/document-entries.js';
import { entryBy } from '../documents/entry-index.js';
import { itemOfRef } from '../documents/item-ref.js';
import { splitLines, withoutEnd } from '../markdown/markdown-lines.js';
import { changedCriterion } from './changed-criterion.js';
import { changedFacts } from './changed-facts.js';
import { type ListItem, listItem } from '../markdown/list-item.js';
import { marks, printReferences, taskContent } from './print-items.js';
import { changeIn } from './read-files.js';
import { storyItem } from './story-reading.js';
import { printDecision } from './print-decision.js';
import { printedTitle, taskLine } from './task-line.js';

type Documents = Readonly<{ before: ContextDocument; now: ContextDocument }>;

/** A piece unchanged if its items are the same, and otherwise with their current state, in the style of the piece. */
export function changedPiece(piece: SourcePiece, { before, now }: Documents): string {
  const { text, items } = piece;
  const [item] = items;
  if (item === undefined || areSame(items, before, now)) return text;
  if (item === storyItem) return changedFacts(text, { before, now });
  if (findEntry(now, item) === undefined) return findEntry(before, item) === undefined ? text : '';
  const { kind, key } = itemOfRef(item);
  const change = changes[kind];
  return change ? withLineEnds(change(text, key, { before, now }), text) : text;
}

type Change = (text: string, key: string, documents: Documents) => string;

const changes: Readonly<Record<string, Change>> = {
  task: changedTask,
  requirement: (text, key, { before, now }) => {
    const old = entryBy(before.requirements, 'requirementId', key);
    const current = entryBy(now.requirements, 'requirementId', key);
    return current ? changedCriterion(text, old, current) : text;
  },
  artifact: (text, key, { now }) => {
    const current = entryBy(now.artifactReferences, 'artifactId', key);
    return current?.change === undefined ? text : changedFile(text, current.change);
  },
  decision: (text, key, { now }) => {
    const current = entryBy(now.decisionHistory, 'decisionId', key);
    return current ? printDecision(current) + trailingBlank(text) : text;
  },
};

/** Changes only the mark if nothing else has changed. */
function changedTask(text: string, key: string, { before, now }: Documents): string {
  const old = entryBy(before.tasks, 'taskId', key);
  const current = entryBy(now.tasks, 'taskId', key);
  const [line = '', ...rest] = splitLines(text);
  const read = taskLine(line);
  if (!current || !read) return text;
  const { indent, marker, end, content } = read.item;
  const lead = current.status === old?.status ? read.item.lead : boxed(read.item, current.status);
  const title = isSameTitle(old, current)
    ? content
    : renamed(content, { old: old?.title, current });
  return [indent, marker, lead, title, end, ...rest].join('');
}

type Task = ContextDocument['tasks'][number];

function boxed({ lead, check }: ListItem, status: Task['status']): string {
  const box = `[${marks[status]}]`;
  return check === undefined ? `${lead}${box} ` : lead.replace(/\[[^\]]\]/, box);
}

function isSameTitle(old: Task | undefined, { title, acceptanceCriteria }: Task): boolean {
  if (old?.title !== title) return false;
  return old.acceptanceCriteria.join('\n') === acceptanceCriteria.join('\n');
}

function renamed(
  content: string,
  { old, current }: Readonly<{ old: string | undefined; current: Task }>,
): string {
  const at = old === undefined || old === '' ? -1 : content.indexOf(old);
  if (at < 0) return taskContent(current);
  const title = printedTitle(current.title.replace(/[\r\n]+/g, ' '), at > 0);
  const rest = content.slice(at + (old?.length ?? 0));
  const bare = rest.replace(/(?<![ \t])[ \t]*\((?:ACs?|acceptance criteria)[^()]*\)/i, '');
  return content.slice(0, at) + title + bare + printReferences(current.acceptanceCriteria);
}

function changedFile(text: string, change: string): string {
  const [line = '', ...rest] = splitLines(text);
  const bare = withoutEnd(line);
  const item = listItem(line);
  const word = /\((new|created?|added|modified|updated?|changed|deleted?|removed|renamed?)\b/i.exec(
    bare,
  );
  const hasChange = word && changeIn(word[1] ?? '') !== undefined;
  const shown = hasChange
    ? bare.slice(0, word.index + 1) + change + bare.slice(word.index + word[0].length)
    : `${bare}${item ? ` (${change})` : ''}`;
  return shown + line.slice(bare.length) + rest.join('');
}

function trailingBlank(text: string): string {
  return /(?:\r\n|\n|\r)(\s*)$/.exec(text.slice(-1_000))?.[1] ?? '';
}

/** Uses the line ends of the text. */
function withLineEnds(printed: string, text: string): string {
  return text.includes('\r\n') ? printed.replace(/\r?\n/g, '\r\n') : printed;
}
