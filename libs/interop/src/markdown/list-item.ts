import { type MarkdownLine } from './markdown-lines.js';
import { matchedGroups } from '../text/matched-groups.js';

/** The parts of a line of a list. Joined, they are the line; `content` is its text. */
export type ListItem = Readonly<{
  indent: string;
  marker: string;
  /** The text between the marker and the content, including a check box. */
  lead: string;
  /** The character in the check box; undefined if there is none. */
  check: string | undefined;
  content: string;
  end: string;
}>;

const listLine = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)([^\r\n]*)([\r\n]*)$/;
const box = /^\[([^\]])\][ \t]*/;
const fence = /^[ \t]*(?:`{3,}|~{3,})/;
const tab = 4;

/** The parts of a line that begins an item of a list; undefined for any other line. */
export function listItem(line: string): ListItem | undefined {
  const [, indent, marker, space, rest, end] = matchedGroups(listLine, line);
  if (marker === '') return undefined;
  const [mark = '', check] = box.exec(rest) ?? [];
  const content = rest.slice(mark.length);
  return { indent, marker, lead: space + mark, check, content, end };
}

/** The indentation of a line, in columns. */
export function columnsOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === ' ') columns++;
    else if (character === '\t') columns += tab - (columns % tab);
    else break;
  }
  return columns;
}

/** Lines with the list item that each begins; lines of code in lists begin none. */
export function listLines(
  lines: readonly MarkdownLine[],
): Readonly<{ line: MarkdownLine; item: ListItem | undefined }>[] {
  let isCode = false;
  return lines.map((line) => {
    const isFence = !line.isCode && fence.test(line.text);
    if (isFence) isCode = !isCode;
    return { line, item: isCode || isFence || line.isCode ? undefined : listItem(line.text) };
  });
}

/** An item and the lines of its text, which are indented or follow without a blank line. */
export type ListBlock = Readonly<{ item: ListItem | undefined; lines: readonly MarkdownLine[] }>;

/** Divides text into the items of the outermost level, with everything below each, and the paragraphs between them. */
export function listBlocks(lines: readonly MarkdownLine[]): ListBlock[] {
  const blocks: { item: ListItem | undefined; lines: MarkdownLine[] }[] = [];
  for (const { line, item } of listLines(lines)) {
    const last = blocks.at(-1);
    const before = last?.lines.at(-1);
    if (last && before && goesOn(last.item, { line, item, before })) last.lines.push(line);
    else blocks.push({ item, lines: [line] });
  }
  return blocks;
}

type NextLine = Readonly<{
  line: MarkdownLine;
  item: ListItem | undefined;
  before: MarkdownLine;
}>;

function goesOn(last: ListItem | undefined, next: NextLine): boolean {
  const { line, before } = next;
  if (line.text.trim() === '' || (line.isCode && before.isCode)) return true;
  return !line.heading && isSameBlock(last, next);
}

function isSameBlock(last: ListItem | undefined, { line, item, before }: NextLine): boolean {
  const isAfterBlank = before.text.trim() === '';
  if (!last) return !item && !isAfterBlank;
  const deeper = columnsOf(line.text) - columnsOf(last.indent);
  return item ? deeper >= 2 : deeper > 0 || !isAfterBlank;
}
