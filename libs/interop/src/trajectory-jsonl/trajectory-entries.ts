import { DocumentError } from '../documents/document.error.js';
import { type NamedText } from '../documents/document-format.js';
import {
  type ScannedPart,
  JsonTextError,
  type ScannedJson,
  scanJson,
} from '../exact-json/scan-json.js';
import { TextPlaces } from '../text/text-places.js';

/** One message or event as JSON text. `agent`: its agent according to the list around it. */
export type TrajectoryEntry = Readonly<{
  stepId: string;
  text: string;
  line: number;
  pointer: string;
  agent?: string | undefined;
}>;

/** Members with the messages or events of a run, the most important first: its entries get the shortest ids. */
const listNames: readonly string[] = [
  'messages',
  'history',
  'traj',
  'conversation',
  'turns',
  'trajectory',
  'steps',
  'events',
  'ticks',
  'chapters',
];

/** The step for the members of a document other than its lists. */
export const headStepId = 'document';

function stepIdAt(number: number, prefix = 'm'): string {
  return `${prefix}${String(number).padStart(6, '0')}`;
}

/**
 * The entries of a whole file: one for each line if the first line is JSON by itself and more lines follow; else those
 * of the one document in the file.
 */
export function fileEntries({ name, text }: NamedText): Iterable<TrajectoryEntry> {
  const begin = text.startsWith('\ufeff') ? 1 : 0;
  const [start, end] = firstLine(text, begin);
  if (start === end) return [];
  const isOnlyLine = text.slice(end).trim() === '';
  if (!isOnlyLine && isJson(text.slice(start, end))) return lineEntries(text, 1);
  return documentEntries({ name, text: text.slice(begin) });
}

/** An entry for each line that is not empty; `first` is the number of the first line. */
export function* lineEntries(text: string, first: number): Iterable<TrajectoryEntry> {
  let start = first === 1 && text.startsWith('\ufeff') ? 1 : 0;
  for (let line = first; start < text.length; line++) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const content = text.slice(start, end);
    if (content.trim() !== '') yield { stepId: stepIdAt(line), text: content, line, pointer: '' };
    start = end + 1;
  }
}

function* documentEntries({ name, text }: NamedText): Generator<TrajectoryEntry, void, void> {
  const scanned = scanDocument(name, text);
  const places = new TextPlaces(text);
  if (scanned.kind === 'array')
    return yield* listEntries({ text, places, at: 0, pointer: '' }, 'm');
  const lists = scanned.kind === 'object' ? listsIn(text, scanned.parts) : [];
  if (lists.length === 0) return yield { stepId: 'm000001', text, line: 1, pointer: '' };
  const rest = scanned.parts.filter((part) => !lists.includes(part));
  if (rest.length > 0)
    yield { stepId: headStepId, text: objectOf(text, rest), line: 1, pointer: '' };
  const first = listNames.find((one) => lists.some((list) => list.name === one));
  for (const list of lists) {
    const from = { text: text.slice(list.start, list.end), places, at: list.start };
    const pointer = `/${list.name}`;
    const prefix = list.name === first ? 'm' : `${list.name}-`;
    const entriesOf = list.name === 'chapters' ? chapterEntries : listEntries;
    yield* entriesOf({ ...from, pointer }, prefix);
  }
}

/** A part of a document: its text, where it begins in the document, and its pointer. */
type DocumentPart = Readonly<{ text: string; places: TextPlaces; at: number; pointer: string }>;

/** Entries are made one by one, because the reader stops if there are too many. */
function* listEntries(
  part: DocumentPart,
  prefix: string,
  before = 0,
): Iterable<TrajectoryEntry, void> {
  let number = before;
  for (const { text, places, at, pointer } of elementsOf(part))
    yield { stepId: stepIdAt(++number, prefix), text, line: places.lineAt(at), pointer };
}

/** Entries for chapters and for the events that they list; the events are numbered across chapters. */
function* chapterEntries(part: DocumentPart, prefix: string): Iterable<TrajectoryEntry> {
  let [chapters, events] = [0, 0];
  for (const chapter of elementsOf(part)) {
    const { parts } = scanJson(chapter.text);
    const list = parts.find(({ name, start }) => name === 'events' && chapter.text[start] === '[');
    const rest = parts.filter((one) => one !== list);
    const line = chapter.places.lineAt(chapter.at);
    const stepId = `chapter-${String(++chapters).padStart(3, '0')}`;
    const text = list ? objectOf(chapter.text, rest) : chapter.text;
    yield { stepId, text, line, pointer: chapter.pointer };
    if (!list) continue;
    const agent = textAt(chapter.text, parts, 'agentName');
    const from = { ...chapter, text: chapter.text.slice(list.start, list.end) };
    const [at, pointer] = [chapter.at + list.start, `${chapter.pointer}/events`];
    for (const entry of listEntries({ ...from, at, pointer }, prefix, events)) {
      events++;
      yield { ...entry, agent };
    }
  }
}

function* elementsOf({ text, places, at, pointer }: DocumentPart): Iterable<DocumentPart> {
  for (const { name, start, end } of scanJson(text).parts)
    yield {
      text: text.slice(start, end),
      places,
      at: at + start,
      pointer: `${pointer}/${name}`,
    };
}

/** Lists of a known name that have entries. A second list of the same name is ignored, because ids would repeat. */
function listsIn(text: string, parts: readonly ScannedPart[]): ScannedPart[] {
  const known = new Set<string | number>();
  return parts.filter(({ name, start, end }) => {
    const isList = listNames.includes(String(name)) && text[start] === '[' && !known.has(name);
    if (!isList || text.slice(start + 1, end - 1).trim() === '') return false;
    known.add(name);
    return true;
  });
}

/** The JSON of an object with some members of another one, with their values as they are written. */
function objectOf(text: string, parts: readonly ScannedPart[]): string {
  const members = parts.map(
    ({ name, start, end }) => `${JSON.stringify(name)}:${text.slice(start, end)}`,
  );
  return `{${members.join(',')}}`;
}

function textAt(text: string, parts: readonly ScannedPart[], member: string): string | undefined {
  const part = parts.find(({ name }) => name === member);
  const value: unknown = part && JSON.parse(text.slice(part.start, part.end));
  return typeof value === 'string' ? value : undefined;
}

function scanDocument(name: string, text: string): ScannedJson {
  try {
    return scanJson(text);
  } catch (error) {
    throw error instanceof JsonTextError ? refusal(error, name, text) : error;
  }
}

/** The error for a text that is not JSON, with line and column. `first`: the number of its first line. */
export function refusal(
  { offset, message }: JsonTextError,
  name: string,
  text: string,
  first = 1,
): DocumentError {
  const places = new TextPlaces(text);
  const [line, column] = [places.lineAt(offset), places.columnAt(offset)];
  return new DocumentError(
    { document: name, line: first + line - 1, pointer: '' },
    `column ${column}: ${message}: write one JSON value on each line, or one JSON document`,
  );
}

/** The beginning and the end of the first line that is not empty. */
function firstLine(text: string, from: number): readonly [number, number] {
  const start = text.slice(from).search(/\S/);
  if (start === -1) return [text.length, text.length];
  const end = text.indexOf('\n', from + start);
  return [from + start, end === -1 ? text.length : end];
}

function isJson(text: string): boolean {
  try {
    scanJson(text);
    return true;
  } catch (error) {
    if (error instanceof JsonTextError) return false;
    throw error;
  }
}
