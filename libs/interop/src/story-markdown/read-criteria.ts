import { itemRef } from '../documents/item-ref.js';
import { type MarkdownLine } from '../markdown/markdown-lines.js';
import { type ListBlock, type ListItem, listBlocks } from '../markdown/list-item.js';
import { unreferenced } from '../markdown/character-reference.js';
import { unescapedLines } from '../markdown/escaped-text.js';
import { criterionLabel } from './criterion-label.js';
import { bodyOf, isPlaceholder } from './prose.js';
import { readRest } from './read-other.js';
import { type Section, textOf } from './story-sections.js';
import { type StoryReading, storyItem } from './story-reading.js';

const groupLabel = /^(?:AC|Acceptance Criterion)[ -]?#?(\d+(?:\.\d+)*)\b[ \t]*[:.—–-]*[ \t]*/i;
const given = /^[*_]*(?:given|when|then)\b/i;

/** The counters for criteria without a number. */
type Count = { group: string; next: number };

/** Reads `## Acceptance Criteria` with criteria as a list, as paragraphs, or grouped below headings. */
export function readCriteria(section: Section, reading: StoryReading, isGroup: boolean): void {
  const count: Count = { group: '', next: 1 };
  const number = isGroup ? groupLabel.exec(section.title)?.[1] : undefined;
  if (number === undefined) reading.add(textOf(section.heading), [storyItem]);
  else if (readGroup(section, reading, number)) return;
  else count.group = `AC${number}.`;
  for (const block of listBlocks(section.body)) readBlock(block, reading, count);
}

/**
 * Reads a heading that is a criterion itself, with the text below it unless that has a list. Returns whether it took
 * the text.
 */
function readGroup(section: Section, reading: StoryReading, number: string): boolean {
  const title = section.title.replace(groupLabel, '');
  const isList = listBlocks(section.body).some(({ item }) => item);
  const body = isList ? '' : readText(textOf(section.body));
  const text = [title, body].filter((part) => part !== '').join('\n\n');
  const lines = isList ? section.heading : [...section.heading, ...section.body];
  addCriterion(reading, lines, { name: `AC${number}`, said: text === '' ? section.title : text });
  return !isList;
}

function readBlock({ item, lines }: ListBlock, reading: StoryReading, count: Count): void {
  const text = textOf(lines);
  const label = criterionLabel.exec((item?.content ?? text).slice(0, 300));
  if (!isCriterion({ item, lines }, text, label !== null)) {
    const rest = { title: 'Acceptance Criteria', body: lines };
    return readRest(rest, reading, { name: 'acceptance-criteria-notes', form: 'criterion' });
  }
  const [all = '', number, other] = label ?? [];
  const name = other ?? nameOf(number, item, count);
  addCriterion(reading, lines, { name, said: criterionText(lines, item, all), met: metBy(item) });
}

function isCriterion({ item, lines }: ListBlock, text: string, isLabelled: boolean): boolean {
  if (lines[0]?.heading || isPlaceholder(text)) return false;
  return item !== undefined || isLabelled || given.test(text.slice(0, 100).trim());
}

/** The name of a criterion: from its own number, or from its position among the criteria without one. */
function nameOf(label: string | undefined, item: ListItem | undefined, count: Count): string {
  const own = label ?? /^\d+/.exec(item?.marker ?? '')?.[0].replace(/^0+(?=\d)/, '');
  const number = own ?? String(count.next);
  count.next = Math.max(count.next, Number.parseInt(number) + 1);
  return label === undefined && count.group !== '' ? `${count.group}${number}` : `AC${number}`;
}

/** The text of a criterion without mark, box and label; lines below the first one are without indentation. */
function criterionText(
  lines: readonly MarkdownLine[],
  item: ListItem | undefined,
  label: string,
): string {
  const [first, ...rest] = lines.map(({ text }) => text);
  const begin = item ? item.content : (first ?? '');
  const indent = item ? item.indent.length + item.marker.length + 1 : 0;
  const more = rest.map((line) => line.slice(Math.min(indent, line.search(/[^ \t]|$/))));
  const end = item?.end ?? '';
  return readText([begin.slice(label.length) + end, ...more].join(''));
}

function readText(text: string): string {
  return unescapedLines(unreferenced(bodyOf(text)));
}

function metBy(item: ListItem | undefined): boolean | undefined {
  if (item?.check === undefined) return undefined;
  return /[xX✓✔✅]/u.test(item.check);
}

type Criterion = Readonly<{ name: string; said: string; met?: boolean | undefined }>;

function addCriterion(
  reading: StoryReading,
  lines: readonly MarkdownLine[],
  { name, said, met }: Criterion,
): void {
  const requirementId = reading.names.take('requirement', name);
  const item = itemRef('requirement', requirementId);
  const isStated = reading.state(item, {
    type: 'RequirementRecorded',
    data: { requirementId, kind: 'functional', text: said, met },
    line: lines[0]?.number ?? 1,
  });
  reading.add(textOf(lines), isStated ? [item] : []);
}
