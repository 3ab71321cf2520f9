import { TableRows } from './table-rows.js';

/** A line with its line end. `heading`: the text and level of an ATX or Setext heading; code is never a heading. */
export type MarkdownLine = Readonly<{
  /** From 1. */
  number: number;
  text: string;
  /** Whether the line is in a fenced block or is one of its fences. */
  isCode: boolean;
  heading?: Readonly<{ level: number; title: string }> | undefined;
}>;

const lineWithEnd = /[^\r\n]*(?:\r\n|\r|\n|$)/y;
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;

/**
 * The lines of a Markdown text. Their joined texts are the text. Lines end with LF, CR LF or CR. Takes time in
 * proportion to the text. See CommonMark 0.31.2, sections 4.2, 4.3 and 4.5, and GitHub Flavored Markdown, section 4.10.
 */
export function markdownLines(text: string): MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  const code = new CodeFences();
  const tables = new TableRows();
  for (const [at, line] of splitLines(text).entries()) {
    const read = { number: at + 1, text: line, isCode: code.take(line) };
    const isBelowRow = tables.isOpen;
    tables.take(read.isCode ? '' : withoutEnd(line));
    lines.push(read.isCode ? read : withHeading(read, isBelowRow ? [] : lines));
  }
  return lines;
}

/** Takes a line outside of code; an underline makes a heading of the line before it. */
function withHeading(line: MarkdownLine, before: MarkdownLine[]): MarkdownLine {
  const bare = withoutEnd(line.text);
  const heading = atxHeading(bare);
  if (heading) return { ...line, heading };
  const last = before.at(-1);
  const underlined = last && setextHeading(bare, last);
  if (underlined) before.splice(-1, 1, { ...last, heading: underlined });
  return line;
}

/** Fenced blocks of code, line by line. */
class CodeFences {
  #open: string | undefined;

  /** Returns whether the line is code, or a fence. */
  take(line: string): boolean {
    const found = fence.exec(withoutEnd(line));
    if (this.#open !== undefined) {
      if (found && closes(found, this.#open)) this.#open = undefined;
      return true;
    }
    this.#open = found ? opening(found) : undefined;
    return this.#open !== undefined;
  }
}

/** Lines with their ends. A line end at the end of the text is not followed by an empty line. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  lineWithEnd.lastIndex = 0;
  while (lineWithEnd.lastIndex < text.length) lines.push(lineWithEnd.exec(text)?.[0] ?? '');
  return lines;
}

export function withoutEnd(line: string): string {
  return line.replace(/[\r\n]+$/, '');
}

/** The marks that open a block; undefined if the line is text with inline code. */
function opening([, marks = '', info = '']: RegExpExecArray): string | undefined {
  return marks.startsWith('`') && info.includes('`') ? undefined : marks;
}

function closes([, marks = '', info = '']: RegExpExecArray, open: string): boolean {
  return marks.startsWith(open) && info.trim() === '';
}

type Heading = NonNullable<MarkdownLine['heading']>;

function atxHeading(line: string): Heading | undefined {
  const found = atx.exec(line);
  if (!found) return undefined;
  const [, marks = '', title = ''] = found;
  return { level: marks.length, title: withoutClosing(title.trim()) };
}

/** A title without the marks at its end; `C#` is unchanged. */
function withoutClosing(title: string): string {
  let end = title.length;
  while (title[end - 1] === '#') end--;
  const rest = title.slice(0, end);
  return rest === '' || /[ \t]$/.test(rest) ? rest.trim() : title;
}

/** Under a list item, a quotation or a row of a table, an underline is a thematic break or part of the block. */
const noParagraph = /^(?:[-*+>|]|\d+[.)])|^$/;

function setextHeading(line: string, before: MarkdownLine): Heading | undefined {
  const mark = underline.exec(line)?.[1];
  const title = before.text.trim();
  const isHeading =
    mark !== undefined && !before.isCode && !before.heading && !noParagraph.test(title);
  return isHeading ? { level: mark.startsWith('=') ? 1 : 2, title } : undefined;
}
