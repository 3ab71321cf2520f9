import { type ContextDocument } from '../documents/context-document.js';
import { escapedLines } from '../markdown/escaped-text.js';
import { splitLines, withoutEnd } from '../markdown/markdown-lines.js';
import { type ListItem, listItem } from '../markdown/list-item.js';
import { matchedGroups } from '../text/matched-groups.js';
import { criterionLabel } from './criterion-label.js';
import { criterionLines, indented, oneLine } from './print-items.js';

type Requirement = ContextDocument['requirements'][number];

const headed = /^( {0,3}#{1,6}[ \t]+(?:AC|Acceptance Criterion)[ -]?#?[\d.]*[ \t]*[:.—–-]*[ \t]*)/i;

/** The lines of a criterion in its current state: only the mark changes if the text is the same. */
export function changedCriterion(
  text: string,
  before: Requirement | undefined,
  now: Requirement,
): string {
  const lines = splitLines(text);
  const [first = ''] = lines;
  const item = listItem(first);
  if (item) return changedItem(item, lines, { before, now });
  if (before?.text === now.text) return text;
  const [, lead] = matchedGroups(headed, first);
  const [label] = matchedGroups(criterionLabel, first.slice(0, 300));
  const printed = lead === '' ? paragraphText(label, now.text) : headedText(lead, now.text);
  return printed + blankEnd(lines);
}

/** A paragraph becomes an item of a list if its text has several lines. */
function paragraphText(label: string, criterionText: string): string {
  const text = criterionLines(criterionText);
  return criterionText.includes('\n') ? indented('- ', `${label}${text}`) : `${label}${text}\n`;
}

/** Whether the lines of a criterion can have a check box: only items of lists can. */
export function hasCheckBoxPlace(text: string): boolean {
  return listItem(splitLines(text)[0] ?? '') !== undefined;
}

type Revisions = Readonly<{ before: Requirement | undefined; now: Requirement }>;

function changedItem(item: ListItem, lines: readonly string[], { before, now }: Revisions): string {
  const { indent, marker, content, end } = item;
  const lead = indent + marker + boxed(item, now.met);
  if (before?.text === now.text) return [lead, content, end, ...lines.slice(1)].join('');
  const [label] = matchedGroups(criterionLabel, content.slice(0, 300));
  const mark = `${indent}${marker} `;
  return (
    lead + label + indented(mark, criterionLines(now.text)).slice(mark.length) + blankEnd(lines)
  );
}

/** Items of a list below the heading would be separate criteria, so the whole text is in the heading. */
function headedText(lead: string, criterionText: string): string {
  const [title = '', ...rest] = criterionText.split('\n');
  if (rest.some((line) => listItem(line))) return `${lead}${oneLine(criterionText)}\n`;
  const body = escapedLines(rest.join('\n').trim());
  return body === '' ? `${lead}${title}\n` : `${lead}${title}\n\n${body}\n`;
}

function boxed({ lead, check }: ListItem, met?: boolean): string {
  if (met === undefined) return lead;
  const box = `[${met ? 'x' : ' '}]`;
  return check === undefined ? `${lead}${box} ` : lead.replace(/\[[^\]]\]/, box);
}

function blankEnd(lines: readonly string[]): string {
  let at = lines.length;
  while (at > 1 && withoutEnd(lines[at - 1] ?? '').trim() === '') at--;
  return lines.slice(at).join('');
}
