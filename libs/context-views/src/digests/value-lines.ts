import { type JsonValue } from '#event-sourcing';

import { clip, inOneLine } from './shown.js';

/** A line of what a value tells: `key` names the member it stands in, if any. */
export type ValueLine = Readonly<{ key: string; text: string }>;

type Level = Readonly<{ key: string; members: Iterator<readonly [string, JsonValue]> }>;

const lineEnd = /\r\n|[\n\r\u2028\u2029]/;
/** Not behind the number of an item. */
const sentenceEnd = /(?<=[^\s\d*][.!?;])\s+/;
const long = 200;
const longestKey = 60;
const holdsJson = /^\s*[[{]/;

/**
 * What a value tells, line by line: members as `key: value`, texts by their lines, long lines by their sentences. Text
 * that holds JSON is looked into. Without recursion, as JSON within text may lie deeper than the stack reaches.
 */
export function* valueLines(value: JsonValue): Generator<ValueLine> {
  const levels: Level[] = [{ key: '', members: [['', value] as const].values() }];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const next = level.members.next();
    if (next.done) {
      levels.pop();
      continue;
    }
    const [name, member] = next.value;
    const key = clip(inOneLine(name), longestKey) || level.key;
    const held = typeof member === 'string' ? (jsonIn(member) ?? member) : member;
    if (typeof held === 'object' && held !== null) levels.push({ key, members: membersOf(held) });
    else yield* textLines(key, scalarText(key, held));
  }
}

/** A member that holds nothing tells nothing, and neither does the text that looks the same where it is told whole. */
function scalarText(key: string, held: JsonValue): string {
  const text = String(held);
  return text === 'null' && key !== '' ? '' : text;
}

function membersOf(held: object): Iterator<readonly [string, JsonValue]> {
  // Elements of a list stand under the key of the list.
  if (Array.isArray(held)) return elementsOf(held);
  return Object.entries(held).values();
}

function* elementsOf(list: readonly JsonValue[]): Generator<readonly [string, JsonValue]> {
  for (const element of list) yield ['', element];
}

function jsonIn(text: string): JsonValue | undefined {
  if (!holdsJson.test(text)) return undefined;
  try {
    // What JSON.parse returns is JSON.
    return JSON.parse(text) as JsonValue;
  } catch {
    // Begins like JSON and is none.
    return undefined;
  }
}

function* textLines(key: string, text: string): Generator<ValueLine> {
  let named = key;
  for (const line of text.split(lineEnd)) {
    for (const part of line.length > long ? line.split(sentenceEnd) : [line]) {
      const shown = inOneLine(part);
      if (shown === '') continue;
      yield { key: named, text: shown };
      named = '';
    }
  }
}
