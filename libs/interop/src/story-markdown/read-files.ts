import { itemRef } from '../documents/item-ref.js';
import { type MarkdownLine } from '../markdown/markdown-lines.js';
import { listItem } from './list-item.js';
import { isTableDelimiter, tableCells } from './markdown-table.js';
import { isPlaceholder } from './prose.js';
import { readNotes } from './read-other.js';
import { type Section, textOf } from './story-sections.js';
import { type StoryReading, storyItem } from './story-reading.js';

export type Change = 'created' | 'modified' | 'deleted' | 'renamed';
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
const longestPath = 256;
const longestLine = 10_000;
const groupLine = /^(?:[*_#\s]*)([^`|]{1,120}?)(?:[*_:\s]|\(\d+\))*$/;

/** `### File List`: each line with a path is an artifact; headings say what was done to the files below them. */
export function readFiles(section: Section, reading: StoryReading): void {
  reading.add(textOf(section.heading), [storyItem]);
  let change = changeIn(section.title);
  let others: MarkdownLine[] = [];
  const endOthers = (): void => {
    readNotes({ ...section, heading: [], body: others }, reading, 'file-list-notes');
    others = [];
  };
  for (const line of section.body) {
    const file = fileIn(line, change);
    const group = file ? undefined : groupIn(line);
    if (!file && group === undefined) {
      others.push(line);
      continue;
    }
    endOthers();
    if (file) addFile(line, file, reading);
    else {
      change = group === null ? change : group;
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

/** A line of a list or a row of a table that names a file. */
export function fileIn({ text, isCode }: MarkdownLine, change?: Change): File | undefined {
  if (isCode || text.length > longestLine) return undefined;
  const cells = tableCells(text);
  const item = cells ? undefined : listItem(text);
  const parts = cells ?? (item ? [item.content] : []);
  for (const part of parts) {
    const path = pathIn(part);
    if (path === undefined) continue;
    const rest = [
      part.slice(part.indexOf(path) + path.length),
      ...parts.filter((one) => one !== part),
    ];
    const said = cells ? rest.join(' ') : (rest[0] ?? '').slice(0, 60);
    return { path, change: changeIn(firstWords(said)) ?? change };
  }
  return undefined;
}

/** What is said first about a file is about the file, not about what is in it. */
function firstWords(said: string): string {
  const inBrackets = /\(([^()]*)\)/.exec(said.slice(0, 200))?.[1];
  if (inBrackets !== undefined && changeIn(inBrackets)) return inBrackets;
  return said.split(/\s+/).slice(0, 4).join(' ');
}

function pathIn(part: string): string | undefined {
  const text = part.trim().replace(/^\[[^\]]{1,12}\]\s*/, '');
  const path = quoted.exec(text)?.[1] ?? bare.exec(text)?.[1]?.replace(/[:,]$/, '');
  const isUsable =
    path !== undefined &&
    path.length <= longestPath &&
    isPath.test(path) &&
    /[\p{L}\p{N}]/u.test(path);
  return isUsable ? path : undefined;
}

/** What is done to the files below a line such as `**Created:**`; null if it does not say; undefined if it is no such line. */
function groupIn({ text, heading, isCode }: MarkdownLine): Change | null | undefined {
  if (isCode || text.length > 200 || listItem(text)) return undefined;
  if (tableCells(text)) return isTableDelimiter(text) || !/[`/.]/.test(text) ? null : undefined;
  const trimmed = text.trim();
  if (trimmed === '' || isPlaceholder(trimmed)) return undefined;
  const isGroup =
    heading !== undefined || /:[*_]*$/.test(trimmed) || /^\*\*[^*]+\*\*/.test(trimmed);
  const label = isGroup ? groupLine.exec(trimmed)?.[1] : undefined;
  return label === undefined ? undefined : (changeIn(label) ?? null);
}

export function changeIn(text: string): Change | undefined {
  return words.find(([word]) => word.test(text))?.[1];
}
