import { type ContextDocument } from '../documents/context-document.js';
import { splitLines, withoutEnd } from '../markdown/markdown-lines.js';
import { listItem } from './list-item.js';
import { indented } from './print-items.js';
import { criterionLabel } from './read-criteria.js';

type Requirement = ContextDocument['requirements'][number];

const headed = /^( {0,3}#{1,6}[ \t]+(?:AC|Acceptance Criterion)[ -]?#?[\d.]*[ \t]*[:.—–-]*[ \t]*)/i;

/** The lines of a criterion with what it says now: the mark alone if the text is the same. */
export function changedCriterion(
  text: string,
  before: Requirement | undefined,
  { text: said, met }: Requirement,
): string {
  const lines = splitLines(text);
  const [first = ''] = lines;
  const item = listItem(first);
  const lead = item
    ? item.indent + item.marker + boxed(item, met)
    : (headed.exec(first)?.[1] ?? '');
  if (before?.text === said)
    return item ? [lead, item.content, item.end, ...lines.slice(1)].join('') : text;
  const begin = item ? item.content : first;
  const label = criterionLabel.exec(begin.slice(0, 300))?.[0] ?? '';
  const blank = blankEnd(lines);
  if (!item && lead !== '') return `${headedText(lead, said)}${blank}`;
  const printed = item
    ? indented(`${item.indent}${item.marker} `, said).slice(
        item.indent.length + item.marker.length + 1,
      )
    : `${said}\n`;
  return `${lead}${label}${printed}${blank}`;
}

function headedText(lead: string, said: string): string {
  const [title = '', ...rest] = said.split('\n');
  const body = rest.join('\n').trim();
  return body === '' ? `${lead}${title}\n` : `${lead}${title}\n\n${body}\n`;
}

function boxed({ lead, check }: NonNullable<ReturnType<typeof listItem>>, met?: boolean): string {
  if (met === undefined) return lead;
  const box = `[${met ? 'x' : ' '}]`;
  return check === undefined ? `${lead}${box} ` : lead.replace(/\[[^\]]\]/, box);
}

function blankEnd(lines: readonly string[]): string {
  let at = lines.length;
  while (at > 1 && withoutEnd(lines[at - 1] ?? '').trim() === '') at--;
  return lines.slice(at).join('');
}
