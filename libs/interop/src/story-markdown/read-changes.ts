import { itemRef } from '../documents/item-ref.js';
import { type MarkdownLine } from '../markdown/markdown-lines.js';
import { claimedBy } from './claimed-author.js';
import { slugOf } from '../text/slug.js';
import { type ListBlock, listBlocks } from '../markdown/list-item.js';
import { isTableDelimiter, tableCells } from '../markdown/table-cells.js';
import { bodyOf, isPlaceholder } from './prose.js';
import { readRest } from './read-other.js';
import { type Section, lineOf, textOf } from './story-sections.js';
import { type StoryReading, storyItem } from './story-reading.js';

export const changeLog = 'Change Log';
const dated = /^[*_]*(\d{4}-\d{2}-\d{2})[*_]*\s*(?:[:—–-]\s*)?/;
/** The contents of columns, by their headings. */
const columns: Readonly<Record<string, RegExp>> = {
  date: /^date/i,
  version: /^ver/i,
  author: /^(?:author|by|who)/i,
  description: /^(?:desc|change|summary|what|note)/i,
};

/** Reads `## Change Log`: a record for each row or item, with its claimed date and author. */
export function readChanges(section: Section, reading: StoryReading): void {
  reading.add(textOf(section.heading), [storyItem]);
  let header: readonly string[] | undefined;
  for (const block of rowBlocks(section.body)) {
    const cells = cellsOf(block);
    if (cells.length === 0) addOther(section, block, reading);
    else if (header && !isTableDelimiter(textOf(block.lines)))
      addRow(block, { header, cells }, reading);
    else {
      header ??= cells;
      reading.add(textOf(block.lines), [storyItem]);
    }
  }
}

function cellsOf({ item, lines: [line] }: ListBlock): readonly string[] {
  const isRow = line && !item && !line.isCode;
  return (isRow && tableCells(line.text)) || [];
}

function addOther({ title }: Section, block: ListBlock, reading: StoryReading): void {
  const { item, lines } = block;
  if (item) addItem(block, item.content, reading);
  else readRest({ title, body: lines }, reading, { name: 'change-log-notes', form: 'change' });
}

/** Each row of a table is a separate block. */
function rowBlocks(body: readonly MarkdownLine[]): ListBlock[] {
  return listBlocks(body).flatMap((block) => {
    const isTable = !block.item && block.lines[0]?.text.trim().startsWith('|') === true;
    return isTable ? block.lines.map((line) => ({ item: undefined, lines: [line] })) : [block];
  });
}

type Row = Readonly<{ header: readonly string[]; cells: readonly string[] }>;

function addRow(block: ListBlock, { header, cells }: Row, reading: StoryReading): void {
  const values = new Map<string, string>();
  for (const [at, cell] of cells.slice(0, 20).entries()) {
    const name = Object.keys(columns).find((one) => columns[one]?.test(header[at] ?? '') === true);
    if (name !== undefined && cell !== '') values.set(name, cell);
  }
  const body = values.get('description') ?? cells.filter((cell) => cell !== '').join(' — ');
  addChange(block, { body, fields: Object.fromEntries(values) }, reading);
}

function addItem(block: ListBlock, content: string, reading: StoryReading): void {
  const date = dated.exec(content.slice(0, 100));
  const rest = content.slice(date?.[0].length ?? 0);
  const body = bodyOf([rest, textOf(block.lines.slice(1))].join('\n'));
  const day = date?.[1];
  addChange(
    block,
    { body: body === '' ? content : body, fields: day ? { date: day } : {} },
    reading,
  );
}

type Change = Readonly<{ body: string; fields: Readonly<Record<string, string>> }>;

function addChange({ lines }: ListBlock, { body, fields }: Change, reading: StoryReading): void {
  const text = textOf(lines);
  if (body.trim() === '' || isPlaceholder(body)) return reading.add(text, [storyItem]);
  const details = new Map(Object.entries(fields));
  details.delete('description');
  const { date = '', version = '', author = '' } = fields;
  const recordId = reading.names.take(
    'record',
    `change-log.${slugOf(`${date} ${version}`.trim(), 'entry')}`,
  );
  const item = itemRef('record', recordId);
  const isStated = reading.state(item, {
    type: 'RecordAppended',
    data: {
      recordId,
      kind: 'custom',
      title: changeLog,
      body,
      fields: details.size > 0 ? Object.fromEntries(details) : undefined,
    },
    line: lineOf({ heading: [], body: lines }),
    origin: claimedBy(author, date),
  });
  reading.add(text, isStated ? [item] : []);
}
