import { type ContextDocument } from '../documents/context-document.js';
import { byWhom, named } from './report-lines.js';
import { inline } from './safe-markdown.js';

type Task = ContextDocument['tasks'][number];

const deepest = 8;

/** Every task once, subtasks below their task, as lists with check marks. */
export function taskLines(tasks: readonly Task[]): string[] {
  const known = new Set(tasks.map(({ taskId }) => taskId));
  const parts = Map.groupBy(tasks, ({ partOf }) => partOf);
  const roots = tasks.filter(({ partOf }) => partOf === undefined || !known.has(partOf));
  const listed = new Set<Task>();
  // Plans may be cyclic: tasks that no root leads to come last.
  return [...roots, ...tasks].flatMap((task) => branch(task, parts, listed));
}

export function taskLine(task: Task): string {
  const mark = task.status === 'completed' ? '[x]' : '[ ]';
  const group = task.group === undefined ? '' : ` in ${inline(task.group, 100)}`;
  const reason = task.reason === undefined ? '' : ` because: ${inline(task.reason)}`;
  const status = `${task.status.replace('_', ' ')}${reason}`;
  return `- ${mark} ${named([task.taskId])}: ${inline(task.title)}${group} (${status})${byWhom(task)}`;
}

function branch(
  root: Task,
  parts: ReadonlyMap<string | undefined, readonly Task[]>,
  listed: Set<Task>,
): string[] {
  const lines: string[] = [];
  const waiting: [task: Task, depth: number][] = [[root, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [task, depth] = next;
    if (listed.has(task)) continue;
    listed.add(task);
    lines.push(`${'  '.repeat(Math.min(depth, deepest))}${taskLine(task)}`);
    for (const part of (parts.get(task.taskId) ?? []).toReversed()) waiting.push([part, depth + 1]);
  }
  return lines;
}
