import { type ContextDocument } from '../documents/context-document.js';
import { referencedIf } from '../markdown/character-reference.js';
import { escapedLines } from '../markdown/escaped-text.js';
import { printedBody } from './body-text.js';
import { criterionLabel } from './criterion-label.js';
import { printedTitle } from './task-line.js';

type Requirement = ContextDocument['requirements'][number];
type Task = ContextDocument['tasks'][number];
type Artifact = ContextDocument['artifactReferences'][number];

const numbered = /^AC(\d{1,9})$/;
const readable = /^[\p{L}\p{N}][\w.-]{0,63}$/u;
const number = /^\d{1,9}(?:\.\d{1,9})*[a-z]?$/;

/** The mark in the box of a task for each status. */
export const marks: Readonly<Record<Task['status'], string>> = {
  planned: ' ',
  in_progress: '~',
  blocked: '!',
  completed: 'x',
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/;

/** The lines of a criterion. Each line ends with LF, also in the functions below. */
export function printCriterion({ requirementId, text, met }: Requirement): string {
  const order = met === undefined ? numbered.exec(requirementId)?.[1] : undefined;
  if (order !== undefined) return indented(`${order}. `, criterionLines(text));
  const box = met === undefined ? '' : `[${met ? 'x' : ' '}] `;
  return indented('- ', `${box}${labelOf(requirementId)}${criterionLines(text)}`);
}

/** Ids that the server made, and words, mean nothing to a reader. */
function labelOf(requirementId: string): string {
  const isReadable = readable.test(requirementId) && !uuid.test(requirementId);
  return isReadable && /\d/.test(requirementId) ? `**${requirementId}:** ` : '';
}

/** The text of a criterion, escaped so that nothing in it is a heading, code, a label or a check box. */
export function criterionLines(text: string): string {
  const isMark = /^\s*\[/.test(text) || criterionLabel.test(text.trimStart().slice(0, 300));
  return referencedIf(isMark, escapedLines(text));
}

/** `indent`: the spaces before the task. */
export function printTask(task: Task, indent: string): string {
  return `${indent}- [${marks[task.status]}] ${taskContent(task)}\n`;
}

/** A task without mark and box. */
export function taskContent({ taskId, title, acceptanceCriteria }: Task): string {
  const isNumber = number.test(taskId);
  const word = isNumber && taskId.includes('.') ? `${taskId} ` : `Task ${taskId}: `;
  const label = isNumber || (readable.test(taskId) && !uuid.test(taskId)) ? word : '';
  return `${label}${printedTitle(oneLine(title), label !== '')}${printReferences(acceptanceCriteria)}`;
}

/** ` (AC: 1, 2)`; empty if there are no criteria. */
export function printReferences(criteria: readonly string[]): string {
  if (criteria.length === 0) return '';
  return ` (AC: ${criteria.map((one) => oneLine(one).replace(/^AC(?=\d)/, '')).join(', ')})`;
}

export function printFile({ artifactId, path, uri, change }: Artifact): string {
  const place = oneLine(path ?? uri ?? artifactId);
  const shown = place.includes('`') ? place : `\`${place}\``;
  return `- ${shown}${change === undefined ? '' : ` (${change})`}\n`;
}

/** A text after its label, or below the label if it has several lines. */
export function labelledText(label: string, text: string): string {
  const said = printedBody(text);
  return said.includes('\n') ? `${label}\n\n${said}` : `${label} ${said.trimStart()}`;
}

/** Paragraphs with a blank line between them; empty ones are omitted. */
export function paragraphs(parts: readonly string[]): string {
  const filled = parts.filter((part) => part.trim() !== '').map((part) => part.replace(/\n+$/, ''));
  return filled.length === 0 ? '' : `${filled.join('\n\n')}\n`;
}

export function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').trim();
}

/** A value other than a text as JSON; a list of texts as a list. */
export function printJson(title: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  const label = `**${oneLine(title)}:**`;
  if (typeof value === 'string') return labelledText(label, value);
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (isList) return [label, '', ...value.map((one) => `- ${oneLine(one)}`)].join('\n');
  return [label, '', '```json', JSON.stringify(value, null, 2), '```'].join('\n');
}

/** A text after a mark, with its further lines indented below the first one. */
export function indented(mark: string, text: string): string {
  const space = ' '.repeat(mark.length);
  const [first = '', ...rest] = text.replace(/\r\n?/g, '\n').split('\n');
  const lines = rest.map((line) => (line.trim() === '' ? '' : `${space}${line}`));
  return `${[`${mark}${first}`, ...lines].join('\n')}\n`;
}
