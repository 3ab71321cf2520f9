import { type JsonObject, type JsonValue, parseJson } from '#event-sourcing';

import { type Cell, cellsOf, rowOf } from './rows.js';
import { type Part, type Role, partsOf } from './shapes/index.js';
import { clip, inOneLine } from './clipped-text.js';

/**
 * A line of what a value tells: `key` names the member it stands in, if any. `role`: of the part it begins or is in. `cells`: what a line
 * holds that several members are in, by their names.
 */
export type ValueLine = Readonly<{
  key: string;
  text: string;
  role?: Role | undefined;
  cells?: readonly Cell[];
}>;

type Level = Readonly<{ key: string; role: Role | undefined; parts: Iterator<Part> }>;

const lineEnd = /\r\n|[\n\r\u2028\u2029]/;
/** Not behind the number of an item. */
const sentenceEnd = /(?<=[^\s\d*][.!?;])\s+/;
const long = 200;
/** As programs number the lines of a file that they print: the number belongs to no word behind it. */
const lineNumber = /^( {0,8}\d{1,6})\t/;
const longestKey = 60;
const shortestPurpose = 24;
const holdsJson = /^\s*[[{]/;

/**
 * What a value tells, line by line: members as `key: value`, texts by their lines, long lines by their sentences; objects of known shapes
 * by what matters most in them, short objects in a list in a line each. Text that holds JSON is looked into. Without recursion, as
 * JSON within text may lie deeper than the stack reaches.
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

/** The lines of a part, or the level that its members are at. */
function* linesOfPart(part: Part, level: Level): Generator<ValueLine, Level | undefined> {
  const key = keyOf(part, level);
  const role = roleOf(part, level);
  const held = heldBy(part.value);
  if (typeof held !== 'object' || held === null) {
    yield* textLines({ key, text: scalarText(key, held), role });
    return undefined;
  }
  const cells = key === '' ? undefined : cellsOf(membersOf(held), key);
  if (!cells) return levelOf(membersOf(held), key, role);
  yield { key, text: rowOf(cells, key), role, cells };
  return undefined;
}

function keyOf({ label }: Part, level: Level): string {
  return label === null ? '' : clip(inOneLine(label), longestKey) || level.key;
}

/** What is in a wrapper is a part of it. */
function roleOf({ role }: Part, level: Level): Role | undefined {
  return level.role === 'wrapper' ? level.role : (role ?? level.role);
}

function heldBy(value: JsonValue): JsonValue {
  return typeof value === 'string' ? (jsonIn(value) ?? value) : value;
}

function levelOf(parts: Iterable<Part>, key: string, role: Role | undefined): Level {
  return { key, role, parts: parts[Symbol.iterator]() };
}

/** A member that holds nothing tells nothing, and neither does the text that looks the same where it is told whole. */
function scalarText(key: string, held: JsonValue): string {
  const text = String(held);
  return text === 'null' && key !== '' ? '' : text;
}

function membersOf(held: JsonObject | readonly JsonValue[]): Iterable<Part> {
  return isList(held) ? elementsOf(held) : partsOf(held);
}

function isList(held: JsonObject | readonly JsonValue[]): held is readonly JsonValue[] {
  return Array.isArray(held);
}

/** Elements of a list stand under the key of the list. */
function* elementsOf(list: readonly JsonValue[]): Generator<Part> {
  for (const element of list) yield { label: '', value: element };
}

function jsonIn(text: string): JsonValue | undefined {
  if (!holdsJson.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    // Begins like JSON and is none.
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
      now = roleBehind(now, shown);
    }
  }
}

/** Of the lines behind a line. */
function roleBehind(role: Role | undefined, text: string): Role | undefined {
  if (role === 'action') return 'body';
  if (role === 'purpose') return isPurpose(text) ? 'text' : role;
  return role === 'outcome' ? 'text' : role;
}

/** A word of agreement or a heading is none. */
function isPurpose(text: string): boolean {
  return text.length >= shortestPurpose && !text.startsWith('#');
}
