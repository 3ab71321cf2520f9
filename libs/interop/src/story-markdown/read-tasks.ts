import { itemRef } from '../documents/item-ref.js';
import { type MarkdownLine } from '../markdown/markdown-lines.js';
import { type ListItem, columnsOf, listLines } from '../markdown/list-item.js';
import { unreferenced } from '../markdown/character-reference.js';
import { isPlaceholder } from './prose.js';
import { addRecord, readRest } from './read-other.js';
import { type Section, lineOf, textOf } from './story-sections.js';
import { type StoryReading, storyItem } from './story-reading.js';
import { type TaskLine, taskLine, taskText } from './task-line.js';

type OpenTask = { taskId: string; title: string; columns: number; parts: number };

/** The event for each mark in the box of a task. */
const progress: Readonly<Record<string, string>> = {
  x: 'TaskCompleted',
  X: 'TaskCompleted',
  '✓': 'TaskCompleted',
  '✔': 'TaskCompleted',
  '~': 'TaskStarted',
  '/': 'TaskStarted',
  '!': 'TaskBlocked',
};
const longestGroup = 1_000;
const boldGroup = /^\*\*([^*]{1,200})\*\*:?\s*$/;

/** Reads the sections of a plan: `## Tasks` and the headings below it. */
export class TaskReader {
  readonly #open: OpenTask[] = [];
  readonly #planned = new Set<string>();
  #details: MarkdownLine[] = [];
  #group: string | undefined;
  #heading: OpenTask | undefined;
  #next = 1;

  constructor(private readonly reading: StoryReading) {}

  /**
   * `isGroup`: whether the section is below the heading of the plan; its heading is then a task or the name of a group.
   */
  read(section: Section, isGroup: boolean): void {
    this.#open.length = 0;
    this.#heading = undefined;
    this.#group = isGroup ? unreferenced(section.title).slice(0, longestGroup) : undefined;
    if (!isGroup || !this.#readHeading(section))
      this.reading.add(textOf(section.heading), [storyItem]);
    for (const { line, item } of listLines(section.body)) this.#take(line, item);
    this.#endDetails();
  }

  /** Reads a heading such as `### Task 1: …` as a task. */
  #readHeading({ title, heading }: Section): boolean {
    const task = taskText(title);
    if (task.name === undefined || !/^\W*(?:sub-?)?task\b/i.test(title)) return false;
    this.#group = undefined;
    this.#heading = this.#plan(heading, task, -1);
    return this.#heading !== undefined;
  }

  #take(line: MarkdownLine, item: ListItem | undefined): void {
    const task = item && isTask(item) ? taskLine(line.text) : undefined;
    if (!task) return this.#takeOther(line);
    this.#endDetails();
    const columns = columnsOf(line.text);
    while ((this.#open.at(-1)?.columns ?? -1) >= columns) this.#open.pop();
    const planned = this.#plan([line], task, columns, task.item.check);
    if (planned) this.#open.push(planned);
  }

  #takeOther(line: MarkdownLine): void {
    const bold = boldGroup.exec(line.text.slice(0, 300));
    const isGroup = bold !== null && columnsOf(line.text) === 0 && !line.isCode;
    if (!isGroup) return void this.#details.push(line);
    this.#endDetails();
    this.#open.length = 0;
    this.#group = bold[1]?.replace(/:$/, '').trim() || undefined;
    this.reading.add(line.text, [storyItem]);
  }

  #plan(
    lines: readonly MarkdownLine[],
    { name, title, acceptanceCriteria }: Omit<TaskLine, 'item'>,
    ...[columns, check]: readonly [columns: number, check?: string | undefined]
  ): OpenTask | undefined {
    const { reading } = this;
    const parent = columns < 0 ? undefined : this.#parent();
    const taskId = reading.names.take('task', name ?? this.#number(parent));
    const item = itemRef('task', taskId);
    const line = lineOf({ heading: lines, body: [] });
    const criteria = acceptanceCriteria.length > 0 ? { acceptanceCriteria } : {};
    const place = parent
      ? { partOf: parent.taskId }
      : { partOf: this.#numberedParent(taskId), group: this.#group };
    const data = { taskId, title, ...criteria, ...place };
    const isStated = reading.state(item, { type: 'TaskPlanned', data, line });
    reading.add(textOf(lines), isStated ? [item] : []);
    if (!isStated) return undefined;
    this.#planned.add(taskId);
    this.#stateProgress(item, taskId, { line, check });
    return { taskId, title, columns, parts: 0 };
  }

  #parent(): OpenTask | undefined {
    return this.#open.at(-1) ?? this.#heading;
  }

  #stateProgress(
    item: string,
    taskId: string,
    { line, check = ' ' }: Readonly<{ line: number; check: string | undefined }>,
  ): void {
    const type = progress[check];
    if (type === undefined) return;
    const reason = type === 'TaskBlocked' ? 'The document marks the task as blocked.' : undefined;
    this.reading.state(item, { type, data: { taskId, reason }, line });
  }

  /** Tasks without a number are numbered in order, below their parent task. */
  #number(parent: OpenTask | undefined): string {
    if (parent) return `${parent.taskId}.${++parent.parts}`;
    while (this.reading.names.has('task', String(this.#next))) this.#next++;
    return String(this.#next++);
  }

  /** `2.1` is part of `2` wherever it is listed. */
  #numberedParent(taskId: string): string | undefined {
    const end = taskId.lastIndexOf('.');
    const parent = taskId.slice(0, end);
    const isKnown = /^[\d.]+$/.test(taskId) && end > 0 && this.#planned.has(parent);
    return isKnown ? parent : undefined;
  }

  /** Text below a task becomes a separate record, because a task has only a title. */
  #endDetails(): void {
    const lines = this.#details;
    this.#details = [];
    if (lines.length === 0) return;
    const task = this.#parent();
    const text = textOf(lines);
    if (task && !isPlaceholder(text))
      addRecord({ level: 0, title: task.title, heading: [], body: lines }, this.reading, {
        name: `task-${task.taskId}.notes`,
      });
    else
      readRest({ title: 'Tasks', body: lines }, this.reading, {
        name: 'tasks-notes',
        form: 'task',
      });
  }
}

/** Whether an item is a task: it has a box, or begins with the word "task". */
function isTask({ check, content, indent }: ListItem): boolean {
  if (check !== undefined) return content.trim() !== '';
  return indent === '' && /^[*_]*(?:sub-?)?task\s+#?\d/i.test(content);
}
