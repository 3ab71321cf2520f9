import { itemRef } from '../documents/item-ref.js';
import { type MarkdownLine } from '../markdown/markdown-lines.js';
import { listItem } from '../markdown/list-item.js';
import { isTableDelimiter, tableCells } from '../markdown/table-cells.js';
import { isPlaceholder } from './prose.js';
import { readRest } from './read-other.js';
import { type Section, textOf } from './story-sections.js';
import { type StoryReading, storyItem } from './story-reading.js';
import { matchedGroups } from '../text/matched-groups.js';

type Change = 'created' | 'modified' | 'deleted' | 'renamed';
type File = Readonly<{ path: string; change: Change | undefined }>;

const words: readonly (readonly [RegExp, Change | undefined])[] = [
  [/\bnot modified\b|\bno changes?\b|\bunchanged\b/i, undefined],
  [/\b(?:new|created?|added)\b/i, 'created'],
  [/\b(?:modified|modify|updated?|changed|edited|expanded)\b/i, 'modified'],
  [/\b(?:deleted?|removed)\b/i, 'deleted'],
  [/\b(?:renamed?|moved)\b/i, 'renamed'],
];
const quoted = /^[*_]{0,2}`([^`]+)`/;
const bare = /^([^\s`|()*]+)(?=[\s:,(]|$)/;
const isPath = /^(?=.*[./])[^\s~<>{}"']+$/u;
/** In backticks, names of files without an extension are possible too. */
const isName = /^[^\s~<>{}"'()]+$/u;
const longestPath = 256;
const longestLine = 10_000;

/** Reads `### File List`: each line with a path is an artifact; headings state the change of the files below them. */
export function readFiles(section: Section, reading: StoryReading): void {
  reading.add(textOf(section.heading), [storyItem]);
  let change = changeIn(section.title);
  let others: MarkdownLine[] = [];
  const endOthers = (): void => {
    readRest({ ...section, body: others }, reading, { name: 'file-list-notes', form: 'file' });
    others = [];
  };
  for (const line of section.body) {
    const file = fileIn(line, change);
    const group = file ? undefined : groupIn(line);
    if (file || group !== undefined) endOthers();
    if (file) addFile(line, file, reading);
    else if (group === undefined) others.push(line);
    else {
      change = group ?? change;
      reading.add(line.text, [storyItem]);
    }
  }
  endOthers();
}

function addFile(line: MarkdownLine, { path, change }: File, reading: StoryReading): void {
  const item = itemRef('artifact', path);
  if (reading.names.has('artifact', path)) return reading.add(line.text, [item]);
  const data = { artifactId: path, artifactType: 'file', path, change };
  const isStated = reading.state(item, {
    type: 'ArtifactReferenced',
    data,
    line: line.number,
    origin: reading.worker,
  });
  if (isStated) reading.names.take('artifact', path);
  reading.add(line.text, isStated ? [item] : []);
}

/** The file in a line of a list or a row of a table. */
function fileIn({ text, isCode }: MarkdownLine, change?: Change): File | undefined {
  if (isCode || text.length > longestLine) return undefined;
  const cells = tableCells(text);
  const parts = cells ?? contentOf(text);
  const at = parts.findIndex((part) => pathIn(part) !== '');
  const part = parts[at];
  if (part === undefined) return undefined;
  const path = pathIn(part);
  const behind = part.slice(part.indexOf(path) + path.length);
  const description = cells ? [behind, ...parts.toSpliced(at, 1)].join(' ') : behind.slice(0, 60);
  return { path, change: changeIn(firstWords(description)) ?? change };
}

function contentOf(line: string): string[] {
  const item = listItem(line);
  return item ? [item.content] : [];
}

/** The first words after a file are about the file itself, not about its content. */
function firstWords(description: string): string {
  const inBrackets = /\(([^()]*)\)/.exec(description.slice(0, 200))?.[1];
  if (inBrackets !== undefined && changeIn(inBrackets)) return inBrackets;
  return description.split(/\s+/).slice(0, 4).join(' ');
}

/** The path at the beginning of a text; empty if there is none. */
function pathIn(part: string): string {
  const text = part.replace(/^[^\p{L}\p{N}`*_.@/(]+/u, '');
  const [, name] = matchedGroups(quoted, text);
  const [, word] = matchedGroups(bare, text);
  const path = name === '' ? word.replace(/[:,]$/, '') : name;
  const form = name === '' ? isPath : isName;
  const isUsable = path.length <= longestPath && form.test(path) && /[\p{L}\p{N}]/u.test(path);
  return isUsable ? path : '';
}

/**
 * The change of the files below a line such as `**Created:**`; null if the line states none; undefined for any other
 * line.
 */
function groupIn(line: MarkdownLine): Change | null | undefined {
  const { text, isCode } = line;
  if (isCode || text.length > longestLine || listItem(text)) return undefined;
  if (tableCells(text)) return isHead(text) ? null : undefined;
  return isGroup(line) ? (changeIn(text) ?? null) : undefined;
}

/** Whether the row is above the files of a table, and names none. */
function isHead(row: string): boolean {
  return isTableDelimiter(row) || !/[`/.]/.test(row);
}

const longestGroup = 200;

function isGroup({ text, heading }: MarkdownLine): boolean {
  const content = text.trim();
  if (content === '' || content.length > longestGroup || isPlaceholder(content)) return false;
  return heading !== undefined || /:[*_]*$/.test(content) || /^\*\*[^*]+\*\*/.test(content);
}

export function changeIn(text: string): Change | undefined {
  return words.find(([word]) => word.test(text))?.[1];
}
