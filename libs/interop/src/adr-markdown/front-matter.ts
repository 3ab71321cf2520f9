import { withoutEnd } from '../markdown/markdown-lines.js';

/**
 * A member of the front matter, or a line like `Date: 2024-05-01` in the text. `values`: the entries if it is a list.
 */
export type MetadataEntry = Readonly<{
  key: string;
  values: readonly string[];
  /** The offset of the value in the document, and its length on its first line. */
  at: number;
  length: number;
  line: number;
}>;

/** `lines`: the number of lines of the front matter, with its fences. */
type FrontMatter = Readonly<{ lines: number; entries: readonly MetadataEntry[] }>;

const member = /^([A-Za-z][\w .-]{0,60}?)[ \t]*:(?:[ \t]+|$)/;
const listed = /^[ \t]*-[ \t]+/;

/**
 * Reads the front matter of a document line by line: `key: value`, `key: [a, b]` and lists. Many decision records
 * contain braces of their template, comments and links, which a strict YAML parser refuses. `at`: the offset of the
 * first line.
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

/** The value without quotation marks and without the braces of a template. */
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
  // Pushed into the existing list, so that long lists take linear time.
  if (last && more !== '' && !text.startsWith('#')) (last.values as string[]).push(more);
}

function valuesOf(value: string): string[] {
  if (value.startsWith('#')) return [];
  const list = /^\[([^\]]*)\]$/.exec(value)?.[1];
  const values = list === undefined ? [value] : list.split(',');
  return values.map(plainValue).filter((each) => each !== '');
}
