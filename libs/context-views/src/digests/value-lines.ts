import { type JsonObject, type JsonValue, parseJson } from '#event-sourcing';

import { type Cell, cellsOf, rowOf } from './rows.js';
import { type Part, type Role, partsOf } from './shapes/index.js';
import { clip, inOneLine } from './clipped-text.js';

/**
 * A line of a value. `key`: the name of its member, if any. `role`: the role of its part. `cells`: the members that
 * share the line, with their names.
 */
export type ValueLine = Readonly<{
  key: string;
  text: string;
  role?: Role | undefined;
  cells?: readonly Cell[];
}>;

type Level = Readonly<{ key: string; role: Role | undefined; parts: Iterator<Part> }>;

const lineEnd = /\r\n|[\n\r\u2028\u2029]/;
/** Not after the number of an item. */
const sentenceEnd = /(?<=[^\s\d*][.!?;])\s+/;
const long = 200;
/** Line numbers that programs print before the lines of a file: they belong to no word after them. */
const lineNumber = /^( {0,8}\d{1,6})\t/;
const longestKey = 60;
const shortestPurpose = 24;
const holdsJson = /^\s*[[{]/;

/**
 * The lines of a value: members as `key: value`, texts by lines, long lines by sentences; objects of known shapes with
 * their most important parts first, short objects in a list in one line each. JSON inside a text is parsed. Not
 * recursive, because JSON inside a text may be nested deeper than the stack allows.
 */
export function* valueLines(value: JsonValue): Generator<ValueLine> {
  const levels: Level[] = [levelOf([{ label: '', value }], '', undefined)];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const next = level.parts.next();
    if (next.done) {
      levels.pop();
      continue;
    }
    const inner = yield* linesOfPart(next.value, level);
    if (inner) levels.push(inner);
  }
}

/** Yields the lines of a part, or returns the level of its members. */
function* linesOfPart(part: Part, level: Level): Generator<ValueLine, Level | undefined> {
  const key = keyOf(part, level);
  const role = roleOf(part, level);
  const content = contentOf(part.value);
  if (typeof content !== 'object' || content === null) {
    yield* textLines({ key, text: scalarText(key, content), role });
    return undefined;
  }
  const cells = key === '' ? undefined : cellsOf(membersOf(content), key);
  if (!cells) return levelOf(membersOf(content), key, role);
  yield { key, text: rowOf(cells, key), role, cells };
  return undefined;
}

function keyOf({ label }: Part, level: Level): string {
  return label === null ? '' : clip(inOneLine(label), longestKey) || level.key;
}

/** A part inside a wrapper is part of the wrapper. */
function roleOf({ role }: Part, level: Level): Role | undefined {
  return level.role === 'wrapper' ? level.role : (role ?? level.role);
}

function contentOf(value: JsonValue): JsonValue {
  return typeof value === 'string' ? (jsonIn(value) ?? value) : value;
}

function levelOf(parts: Iterable<Part>, key: string, role: Role | undefined): Level {
  return { key, role, parts: parts[Symbol.iterator]() };
}

/** A member that is null has no text, and neither has the text `null`, which looks the same in full. */
function scalarText(key: string, content: JsonValue): string {
  const text = String(content);
  return text === 'null' && key !== '' ? '' : text;
}

function membersOf(content: JsonObject | readonly JsonValue[]): Iterable<Part> {
  return isList(content) ? elementsOf(content) : partsOf(content);
}

function isList(content: JsonObject | readonly JsonValue[]): content is readonly JsonValue[] {
  return Array.isArray(content);
}

/** Elements of a list have the key of the list. */
function* elementsOf(list: readonly JsonValue[]): Generator<Part> {
  for (const element of list) yield { label: '', value: element };
}

function jsonIn(text: string): JsonValue | undefined {
  if (!holdsJson.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    // The text only begins like JSON.
    return undefined;
  }
}

function* textLines({ key, text, role }: ValueLine): Generator<ValueLine> {
  let named = key;
  let now = role;
  for (const printed of text.split(lineEnd)) {
    const line = printed.replace(lineNumber, '$1: ');
    const isSplit = line.length > long || now === 'purpose';
    for (const part of isSplit ? line.split(sentenceEnd) : [line]) {
      const shown = inOneLine(part);
      if (shown === '') continue;
      yield { key: named, text: shown, role: now };
      named = '';
      now = roleAfter(now, shown);
    }
  }
}

/** The role of the lines after a line. */
function roleAfter(role: Role | undefined, text: string): Role | undefined {
  if (role === 'action') return 'body';
  if (role === 'purpose') return isPurpose(text) ? 'text' : role;
  return role === 'outcome' ? 'text' : role;
}

/** Whether the text is more than a word of agreement or a heading. */
function isPurpose(text: string): boolean {
  return text.length >= shortestPurpose && !text.startsWith('#');
}
