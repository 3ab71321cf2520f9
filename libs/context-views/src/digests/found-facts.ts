import { Pace, finish } from '#shared-context';

import { decodeEscapes } from './decode-escapes.js';
import { isLabelOf, labelBefore } from './labels.js';
import { type WordKind, kindOf } from './word-kinds.js';

/** How often each fact of a kind was found, in order of appearance. */
export type FactCounts = Map<string, number>;

/** `labels`: what some facts are called at their first place, a member's name or the word before a number. */
export type FoundFacts = Readonly<Record<WordKind, FactCounts>> &
  Readonly<{ labels: Map<string, string> }>;

/** Addresses keep their query; numbers keep the commas between their thousands. */
const words =
  /[a-z][a-z0-9+.-]{1,10}:\/\/[^\s"'`<>()[\]{}|\\]+|(?:[^\s"'`<>()[\]{},;|*=\\]|(?<=\d),(?=\d{3}(?!\d)))+/g;
/** But the sign of a number. */
const leading = /^(?:(?![-+][$€£¥]?\d)[-:!?&~^+])+(?=[^-/~])/;
const trailing = /[.,;:!?~^-]+$/;
/** The rest of a path with a part that is a pattern or a variable. */
const restOfPath = /^[*})>\]][./]/;
/** Says where a patch belongs, in lines. */
const hunk = /^@@ -\d/;
const position = /^(.+\.\w+):\d+(?::\d+)?$/;
const plainNumber = /^[+-]?\d[\d,.]*$/;
const unit =
  /^(?:%|ms|s|secs?|seconds?|min|mins|minutes?|hours?|hrs?|days?|weeks?|months?|years?|[kmgt]i?b|bytes?|chars?|characters?|tokens?|lines?|rows?|columns?|files?|tests?|errors?|warnings?|failures?|issues?|items?|steps?|tasks?|commits?|points?|pts|passed|failed|skipped|percent|px|km|kg|cm|mm|m|usd|eur|dollars?|users?|requests?|times|x)$/i;
const longestWord = 160;
const longestTag = 80;
const tag = /^(?:\/[\w:.-]*|[\w:.-]*\/)$/;
const mostFacts = 2_048;

export function noFacts(): FoundFacts {
  return {
    errors: new Map(),
    paths: new Map(),
    identifiers: new Map(),
    urls: new Map(),
    numbers: new Map(),
    labels: new Map(),
  };
}

/** Adds the facts of a line to those found; a number with the unit behind it, a path without the line it points to. */
export function addFacts(line: string, found: FoundFacts): void {
  finish(addFactsInSteps({ key: '', text: line }, found));
}

/** As {@link addFacts}, in steps: a line may be as long as a value. `key`: the member that the line is in. */
export function* addFactsInSteps(
  { key, text }: Readonly<{ key: string; text: string }>,
  found: FoundFacts,
): Generator<void, void> {
  const line = decodeEscapes(text);
  if (hunk.test(line)) return;
  let amount: Amount | undefined;
  const pace = new Pace();
  for (const word of wordsIn(line, key)) {
    if (pace.isStep()) yield;
    const isUnit = isUnitOf(amount, word, line);
    addAmount(amount, isUnit ? word.text : '', found);
    amount = plainNumber.test(word.text) ? word : undefined;
    if (!isUnit && !amount) addWord(word, line[word.start - 1], found);
  }
  addAmount(amount, '', found);
}

/** `label`: what stands before the word or is the name of its member. `isMember`: whether it is all that a member holds. */
type Word = Readonly<{
  text: string;
  start: number;
  end: number;
  label: string;
  isMember: boolean;
}>;
type Amount = Word;

function* wordsIn(line: string, key: string): Generator<Word> {
  let before = { end: 0, text: '' };
  for (const { 0: written, index: start } of line.matchAll(words)) {
    const end = start + written.length;
    if (isNoWord(line, start, end)) continue;
    const text = trimmed(written);
    const isMember = written.length === line.length;
    const between = line.slice(before.end, start);
    const label = isMember ? key : labelBefore(text, { before: before.text, between });
    before = { end, text: written };
    yield { text, start, end, label, isMember };
  }
}

function isNoWord(line: string, start: number, end: number): boolean {
  if (end - start > longestWord || isTag(line, start, end)) return true;
  return restOfPath.test(line.slice(Math.max(0, start - 1), start + 1));
}

/** `</role>` or `<row_end/>`, which are no paths. */
function isTag(line: string, start: number, end: number): boolean {
  if (line[start - 1] !== '<') return false;
  return tag.test(line.slice(start, Math.min(end, start + longestTag)));
}

/** Behind `3.` or `3:` another sentence or text begins. */
function isUnitOf(amount: Amount | undefined, { text, start }: Word, line: string): boolean {
  const isBeside = amount?.end === start - 1 && line[start - 1] === ' ';
  return isBeside && !trailing.test(line.slice(amount.start, amount.end)) && unit.test(text);
}

function addAmount(amount: Amount | undefined, of: string, found: FoundFacts): void {
  if (!amount) return;
  if (of !== '') add(found.numbers, `${amount.text} ${of}`);
  // A number that begins a line counts the lines, unless it is a member.
  else if (amount.start > 0 || amount.label !== '') addWord(amount, undefined, found);
}

function addWord(word: Word, before: string | undefined, found: FoundFacts): void {
  const kind = kindOf(word.text, before === '`');
  if (!kind) return;
  add(found[kind], word.text);
  if (isLabelOf(kind, word) && !found.labels.has(word.text))
    found.labels.set(word.text, word.label);
}

function trimmed(raw: string): string {
  const word = raw.replace(leading, '').replace(trailing, '');
  return position.exec(word)?.[1] ?? word;
}

function add(counts: FactCounts, fact: string): void {
  const count = counts.get(fact);
  if (count === undefined && counts.size >= mostFacts) return;
  counts.set(fact, (count ?? 0) + 1);
}
