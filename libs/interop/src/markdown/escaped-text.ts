import { type MarkdownLine, markdownLines, splitLines } from './markdown-lines.js';

type Heading = NonNullable<MarkdownLine['heading']>;

const fence = /^ {0,3}(?:`{3}|~{3})/;
const underline = /^ {0,3}(?:=+|-+)[ \t]*[\r\n]*$/;
const atx = /^ {0,3}#/;
/** Lines that would be read as a different text without one more backslash. */
const withBackslash = /^ {0,3}\\+(?:#|[=-]+[ \t]*[\r\n]*$|`{3}|~{3})/;
const escape = /^( {0,3})\\(?=\\*(?:#|[=-]+[ \t]*[\r\n]*$|`{3}|~{3}))/;
const anyMark = /^([ \t]*)(?=\\*(?:#|[=-]+[ \t]*[\r\n]*$|`{3}|~{3}))/;
const anyEscape = /^([ \t]*)\\(?=\\*(?:#|[=-]+[ \t]*[\r\n]*$|`{3}|~{3}))/;

/**
 * Escapes a text so that nothing in it begins another section: a backslash precedes each heading that would, and all
 * fences if the last one is not closed. {@link unescapedText} reverses this.
 */
export function escapedText(text: string, isStructure: (heading: Heading) => boolean): string {
  const isOpen = endsInCode(text);
  const lines = splitLines(text);
  const bare = isOpen ? lines.map((line) => (fence.test(line) ? escapedLine(line) : line)) : lines;
  const escaper = new Escaper(isStructure, isOpen);
  return markdownLines(bare.join(''))
    .map((read, at) => escaper.take(lines[at] ?? '', read))
    .join('');
}

/** Adds backslashes to a text line by line. */
class Escaper {
  #isTitle = false;
  #isEscaped = false;

  /** `isOpen`: whether fences must be text. */
  constructor(
    private readonly isStructure: (heading: Heading) => boolean,
    private readonly isOpen: boolean,
  ) {}

  /** Takes a line, and how it is read. */
  take(line: string, { heading, isCode }: MarkdownLine): string {
    const isBelow = this.#isUnderline(line);
    const starts = heading !== undefined && this.isStructure(heading);
    const isMark = isBelow || this.#isFence(line);
    const isAtx = starts && atx.test(line);
    this.#isTitle = starts && !isAtx;
    this.#isEscaped = isMark || isAtx || isWritten({ line, isCode });
    return this.#isEscaped ? escapedLine(line) : line;
  }

  /** Whether the line makes a heading of the line above, which is a paragraph if it has a backslash. */
  #isUnderline(line: string): boolean {
    return this.#isTitle || (this.#isEscaped && underline.test(line));
  }

  #isFence(line: string): boolean {
    return this.isOpen && fence.test(line);
  }
}

/** Reverses {@link escapedText}. */
export function unescapedText(text: string): string {
  if (!text.includes('\\')) return text;
  return markdownLines(text)
    .map((line) => (line.isCode ? line.text : line.text.replace(escape, '$1')))
    .join('');
}

/**
 * As {@link escapedText}, for text in an item of a list, where code may begin after the mark: no line begins a heading
 * or code.
 */
export function escapedLines(text: string): string {
  return splitLines(text)
    .map((line) => line.replace(anyMark, '$1\\'))
    .join('');
}

/** Reverses {@link escapedLines}. */
export function unescapedLines(text: string): string {
  return splitLines(text)
    .map((line) => line.replace(anyEscape, '$1'))
    .join('');
}

/** Whether a block of code is open at the end of a text. */
export function endsInCode(text: string): boolean {
  return markdownLines(`${text}\n\n# end`).at(-1)?.heading === undefined;
}

/** Whether the line would be read as an escaped one. */
function isWritten({ line, isCode }: Readonly<{ line: string; isCode: boolean }>): boolean {
  return !isCode && withBackslash.test(line);
}

function escapedLine(line: string): string {
  return line.replace(/^( {0,3})/, '$1\\');
}
