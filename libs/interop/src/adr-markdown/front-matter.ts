import { withoutEnd } from '../markdown/markdown-lines.js';

/** A member of the front matter, or a line like `Date: 2024-05-01` in the text. `values`: its entries if it is a list. */
export type MetadataEntry = Readonly<{
  key: string;
  values: readonly string[];
  /** Where the value begins in the text of the document, and how long it is on its first line. */
  at: number;
  length: number;
  line: number;
}>;

/** `lines` of the text are the front matter, with its fences. */
type FrontMatter = Readonly<{ lines: number; entries: readonly MetadataEntry[] }>;

const member = /^([A-Za-z][\w .-]{0,60}?)[ \t]*:(?:[ \t]+|$)/;
const listed = /^[ \t]*-[ \t]+/;

/**
 * The front matter of a document, read line by line: `key: value`, `key: [a, b]` and lists. Many decision records hold braces of
 * their template, comments and links, which a strict parser of YAML refuses. `at` is the offset of the first line.
 */
export function readFrontMatter(lines: readonly string[], at: number): FrontMatter | undefined {
  if (withoutEnd(lines[0] ?? '').trimEnd() !== '---') return undefined;
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  if (end < 0) return undefined;
  const entries: MetadataEntry[] = [];
  let offset = at;
  for (const [index, text] of lines.slice(0, end).entries()) {
    takeLine(entries, { text: withoutEnd(text), offset, line: index + 1 });
    offset += text.length;
  }
  return { lines: end + 1, entries };
}

/** The value without quotation marks, and without the braces that templates put around it. */
export function plainValue(value: string): string {
  const text = value.trim();
  const inner = /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
  return inner.replace(/^\{+|\}+$/g, '').trim();
}

function isFence(line: string): boolean {
  return /^(?:---|\.\.\.)[ \t]*$/.test(withoutEnd(line));
}

type Line = Readonly<{ text: string; offset: number; line: number }>;

function takeLine(entries: MetadataEntry[], { text, offset, line }: Line): void {
  const found = member.exec(text);
  if (found) {
    const [start, key = ''] = found;
    const value = text.slice(start.length).trimEnd();
    const place = { at: offset + start.length, length: value.length, line };
    entries.push({ key: key.toLowerCase(), values: valuesOf(value), ...place });
    return;
  }
  const last = entries.at(-1);
  const more = plainValue(text.replace(listed, ''));
  // Values are few; what a list holds is taken one by one, so that long lists stay linear.
  if (last && more !== '' && !text.startsWith('#')) (last.values as string[]).push(more);
}

function valuesOf(value: string): string[] {
  if (value.startsWith('#')) return [];
  const list = /^\[([^\]]*)\]$/.exec(value)?.[1];
  const values = list === undefined ? [value] : list.split(',');
  return values.map(plainValue).filter((each) => each !== '');
}
