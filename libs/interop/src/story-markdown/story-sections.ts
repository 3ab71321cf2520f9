import { type MarkdownLine, markdownLines } from '../markdown/markdown-lines.js';

/** A heading with the lines up to the next heading; level 0 without a title is the text before the first heading. */
export type Section = Readonly<{
  level: number;
  title: string;
  heading: readonly MarkdownLine[];
  body: readonly MarkdownLine[];
}>;

/** Deeper headings are part of the text of their section. */
export const deepest = 3;
const underline = /^ {0,3}(?:=+|-+)[ \t]*[\r\n]*$/;
const isMark = /^ {0,3}#/;

/** The sections of a story in order, with all lines of the text. `firstLine`: the number of the first line. */
export function storySections(text: string, firstLine: number): Section[] {
  const sections: OpenSection[] = [{ level: 0, title: '', heading: [], body: [] }];
  for (const read of markdownLines(text)) {
    const line = { ...read, number: read.number + firstLine - 1 };
    const { heading } = line;
    const last = sections.at(-1);
    if (heading && heading.level <= deepest)
      sections.push({ ...heading, heading: [line], body: [] });
    else if (last && isUnderline(line, last)) last.heading.push(line);
    else last?.body.push(line);
  }
  return sections;
}

type OpenSection = Section & Readonly<{ heading: MarkdownLine[]; body: MarkdownLine[] }>;

/** Whether the line is the second one of an underlined heading. */
function isUnderline(line: MarkdownLine, { heading, body }: Section): boolean {
  const [first] = heading;
  const isDone = !first || heading.length > 1 || body.length > 0 || isMark.test(first.text);
  return !isDone && underline.test(line.text);
}

export function textOf(lines: readonly MarkdownLine[]): string {
  return lines.map(({ text }) => text).join('');
}

export function isBlank(lines: readonly MarkdownLine[]): boolean {
  return lines.every(({ text }) => text.trim() === '');
}

/** The number of the first line. */
export function lineOf({ heading, body }: Pick<Section, 'heading' | 'body'>): number {
  const [first = body[0]] = heading;
  return first?.number ?? 1;
}
