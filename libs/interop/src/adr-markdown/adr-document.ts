import { type MarkdownLine, markdownLines, splitLines } from '../markdown/markdown-lines.js';
import { type MetadataEntry, readFrontMatter } from './front-matter.js';
import { type SectionRole, roleOfHeading } from './heading-roles.js';

/**
 * A part of a document. `front-matter`, `title` and `introduction` (the text between the title and the first section)
 * occur at most once. `section`: a heading with its text; `role` is undefined if its heading is unknown.
 */
export type AdrPart = Readonly<{
  kind: 'front-matter' | 'title' | 'introduction' | 'section';
  /** Includes everything before the next part. */
  text: string;
  /** Offset in the document, and the line of its beginning. */
  at: number;
  line: number;
  heading: string;
  role?: SectionRole | undefined;
  /** The lines below the heading. */
  lines: readonly MarkdownLine[];
}>;

/** A document in parts. Their joined texts are the document. */
export type AdrDocument = Readonly<{
  parts: readonly AdrPart[];
  entries: readonly MetadataEntry[];
}>;

/** Divides a document in time proportional to its text. */
export function divideDocument(text: string): AdrDocument {
  const marks = /^\uFEFF*/.exec(text)?.[0] ?? '';
  const bare = text.slice(marks.length);
  const lines = splitLines(bare);
  const front = readFrontMatter(lines, marks.length);
  if (!front) return { parts: new Divider(0, marks).divide(markdownLines(bare)), entries: [] };
  const head = marks + lines.slice(0, front.lines).join('');
  const body = numberedFrom(front.lines, markdownLines(text.slice(head.length)));
  const part: AdrPart = {
    kind: 'front-matter',
    text: head,
    at: 0,
    line: 1,
    heading: '',
    lines: [],
  };
  return {
    parts: [part, ...new Divider(head.length, '').divide(body)],
    entries: front.entries,
  };
}

/** Lines with their numbers in the document, in which this many lines precede them. */
function numberedFrom(before: number, lines: readonly MarkdownLine[]): readonly MarkdownLine[] {
  if (before === 0) return lines;
  return lines.map((line) => ({ ...line, number: line.number + before }));
}

/** The lines of a part, with their offsets in the document. */
export function placedLines({ at, text, lines }: AdrPart): (MarkdownLine & { at: number })[] {
  let offset = at + text.length - lines.reduce((sum, line) => sum + line.text.length, 0);
  return lines.map((line) => {
    const placed = { ...line, at: offset };
    offset += line.text.length;
    return placed;
  });
}

type Draft = { kind: AdrPart['kind']; heading: string; role?: SectionRole | undefined };

/** Begins a part at each heading that starts a section. `marks`: byte order marks, which belong to the first part. */
class Divider {
  readonly #parts: AdrPart[] = [];
  #draft: Draft = { kind: 'introduction', heading: '' };
  #lines: MarkdownLine[] = [];
  #at: number;
  #line: number | undefined;
  /** Lines of the heading itself: an underlined heading has two. */
  #headingLines = 0;

  constructor(
    at: number,
    private marks: string,
  ) {
    this.#at = at;
  }

  divide(lines: readonly MarkdownLine[]): AdrPart[] {
    const outline = outlineOf(lines);
    for (const [index, line] of lines.entries()) {
      const start = startOf(line, index, outline, this.#draft.role);
      if (start) this.#begin(start, isUnderlined(line) ? 2 : 1);
      else this.#endTitle();
      this.#line ??= line.number;
      this.#lines.push(line);
    }
    this.#end();
    return this.#parts;
  }

  #begin(draft: Draft, headingLines: number): void {
    this.#end();
    this.#draft = draft;
    this.#headingLines = headingLines;
  }

  /** A title is a separate part; the text below it introduces the record. */
  #endTitle(): void {
    if (this.#draft.kind !== 'title' || this.#lines.length < this.#headingLines) return;
    this.#end();
    this.#draft = { kind: 'introduction', heading: '' };
    this.#headingLines = 0;
  }

  #end(): void {
    const text = this.marks + this.#lines.map((line) => line.text).join('');
    if (this.#lines.length === 0 && this.marks === '') return;
    const place = { text, at: this.#at, line: this.#line ?? 1 };
    this.#parts.push({ ...this.#draft, ...place, lines: this.#lines.slice(this.#headingLines) });
    this.#at += text.length;
    this.marks = '';
    this.#lines = [];
    this.#line = undefined;
  }
}

/**
 * `title`: the index of the line that is the title of the record. `top`: the level of headings that always begin a
 * section.
 */
type Outline = Readonly<{ title: number; top: number }>;

function outlineOf(lines: readonly MarkdownLine[]): Outline {
  const first = lines.findIndex(({ heading }) => heading !== undefined);
  const named = lines[first]?.heading;
  const title = named && roleOfHeading(named.title) === undefined ? first : -1;
  let top = 6;
  for (const [index, { heading }] of lines.entries())
    if (heading && index !== title) top = Math.min(top, heading.level);
  return { title, top: Math.max(top, 2) };
}

/** Sections that may be nested in another one, one level deeper. */
const inner: ReadonlyMap<SectionRole, ReadonlySet<SectionRole>> = new Map([
  ['decision', new Set<SectionRole>(['consequences', 'rationale', 'pros-and-cons', 'links'])],
  ['consequences', new Set<SectionRole>(['consequences', 'pros-and-cons', 'links'])],
  ['rationale', new Set<SectionRole>(['consequences', 'pros-and-cons'])],
]);

function startOf(
  { heading }: MarkdownLine,
  index: number,
  { title, top }: Outline,
  within: SectionRole | undefined,
): Draft | undefined {
  if (!heading) return undefined;
  if (index === title) return { kind: 'title', heading: heading.title };
  const role = roleOfHeading(heading.title);
  const section: Draft = { kind: 'section', heading: heading.title, role };
  if (heading.level <= top) return section;
  const isInner = within && role && inner.get(within)?.has(role);
  return isInner ? section : undefined;
}

function isUnderlined({ text }: MarkdownLine): boolean {
  return !/^ {0,3}#/.test(text);
}
