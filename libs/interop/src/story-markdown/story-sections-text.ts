import { type ContextDocument } from '../documents/context-document.js';
import { oneLine, paragraphs, printCriterion, printFile, printTask } from './print-items.js';
import { printDecision } from './print-decision.js';
import { printedTitle } from './task-line.js';
import {
  changeLogHeader,
  isChange,
  printChange,
  printRecord,
  printReview,
} from './print-records.js';

type Task = ContextDocument['tasks'][number];

/** Items of a context for which a story has a place. */
export type StoryItems = Pick<
  ContextDocument,
  'requirements' | 'tasks' | 'decisionHistory' | 'records' | 'artifactReferences' | 'reviewHistory'
>;

/** A part of a story. `kinds`: the kind of its items. */
export type StoryPart = Readonly<{ heading: string; kinds: string; text: string }>;

/** The parts of a story in their usual order, without empty ones; `text` does not include the heading. */
export function storyParts(items: StoryItems): StoryPart[] {
  const { records } = items;
  const isCustom = ({ kind }: (typeof records)[number]) =>
    kind === 'custom' || kind === 'failure-analysis';
  const custom = records.filter((one) => isCustom(one) && !isChange(one));
  const parts = [
    part('Acceptance Criteria', 'requirement', items.requirements.map(printCriterion).join('')),
    part('Tasks / Subtasks', 'task', printTasks(items.tasks)),
    part('Decisions', 'decision', paragraphs(items.decisionHistory.map(printDecision))),
    part('Dev Notes', 'record', paragraphs(custom.map((one) => printRecord(one, true)))),
    ...records
      .filter((one) => !isCustom(one))
      .map((one) => part('', 'record', printRecord(one, false))),
    part('File List', 'artifact', items.artifactReferences.map(printFile).join('')),
    part('Change Log', 'change', printChanges(records.filter(isChange))),
    part('QA Results', 'review', paragraphs(items.reviewHistory.map(printReview))),
  ];
  return parts.filter(({ text }) => text !== '');
}

/** A part with its heading. */
export function printPart({ heading, text }: StoryPart): string {
  return heading === '' ? text : `## ${heading}\n\n${text}`;
}

/** Tasks with their subtasks below; groups follow the tasks without a group. */
function printTasks(tasks: readonly Task[]): string {
  const ids = new Set(tasks.map(({ taskId }) => taskId));
  const children = Map.groupBy(tasks, ({ partOf }) =>
    partOf !== undefined && ids.has(partOf) ? partOf : '',
  );
  const roots = Map.groupBy(children.get('') ?? [], ({ group }) => group ?? '');
  const groups = [...roots].toSorted(
    ([left], [right]) => Number(left !== '') - Number(right !== ''),
  );
  return paragraphs(
    groups.flatMap(([group, listed]) => [
      group === '' ? '' : `### ${printedTitle(oneLine(group), false)}`,
      listed.map((task) => printFamily(task, children)).join(''),
    ]),
  );
}

function printFamily(root: Task, children: ReadonlyMap<string, readonly Task[]>): string {
  const lines: string[] = [];
  const open = [{ task: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { task, depth } = next;
    lines.push(printTask(task, '  '.repeat(Math.min(depth, 50))));
    const below = children.get(task.taskId) ?? [];
    open.push(...below.map((one) => ({ task: one, depth: depth + 1 })).toReversed());
  }
  return lines.join('');
}

function printChanges(changes: StoryItems['records']): string {
  return changes.length === 0 ? '' : changeLogHeader + changes.map(printChange).join('');
}

function part(heading: string, kinds: string, text: string): StoryPart {
  return { heading, kinds, text };
}
