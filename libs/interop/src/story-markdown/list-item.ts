import { type MarkdownLine } from '../markdown/markdown-lines.js';

/** A line of a list in parts that, joined, are the line: `content` is what it says. */
export type ListItem = Readonly<{
  indent: string;
  marker: string;
  /** Between the marker and the content, with the box if there is one. */
  lead: string;
  /** What is in the box; undefined if there is none. */
  check: string | undefined;
  content: string;
  end: string;
}>;

const listLine = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)([^\r\n]*)([\r\n]*)$/;
const box = /^\[([^\]])\][ \t]*/;
const fence = /^[ \t]*(?:`{3,}|~{3,})/;
const tab = 4;

/** The parts of a line if it begins an item of a list. */
export function listItem(line: string): ListItem | undefined {
  const found = listLine.exec(line);
  if (!found) return undefined;
  const [, indent = '', marker = '', space = '', rest = '', end = ''] = found;
  const boxed = box.exec(rest);
  const [mark = ''] = boxed ?? [];
  return {
    ...{ indent, marker, end },
    lead: space + mark,
    check: boxed?.[1],
    content: rest.slice(mark.length),
  };
}

/** How far a line is indented, in columns. */
export function columnsOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === ' ') columns++;
    else if (character === '\t') columns += tab - (columns % tab);
    else break;
  }
  return columns;
}

/** Lines, each with the list item that it begins; code within lists begins none. */
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

/** The item whose text goes on in the lines behind it, which are indented or follow without a blank line. */
export type ListBlock = Readonly<{ item: ListItem | undefined; lines: readonly MarkdownLine[] }>;

/** Divides text into items at the outermost level, with everything below each, and the text between them by paragraphs. */
export function listBlocks(lines: readonly MarkdownLine[]): ListBlock[] {
  const blocks: { item: ListItem | undefined; lines: MarkdownLine[] }[] = [];
  let before: MarkdownLine | undefined;
  for (const { line, item } of listLines(lines)) {
    const last = blocks.at(-1);
    const isText = line.text.trim() !== '';
    const isAfterBlank = before === undefined || before.text.trim() === '';
    const isSameCode = line.isCode && before?.isCode === true;
    const isMore = !isText || isSameCode || goesOn(last?.item, { line, item, isAfterBlank });
    if (last && isMore) last.lines.push(line);
    else blocks.push({ item, lines: [line] });
    before = line;
  }
  return blocks;
}

type NextLine = Readonly<{
  line: MarkdownLine;
  item: ListItem | undefined;
  isAfterBlank: boolean;
}>;

function goesOn(last: ListItem | undefined, { line, item, isAfterBlank }: NextLine): boolean {
  if (line.heading) return false;
  if (!last) return !item && !isAfterBlank;
  const isDeeper = columnsOf(line.text) > columnsOf(last.indent);
  if (item) return isDeeper && columnsOf(line.text) >= columnsOf(last.indent) + 2;
  return isDeeper || !isAfterBlank;
}
