import { Pace, finish } from '#shared-context';

import { decodeEscapes } from './decode-escapes.js';
import { type WordKind, kindOf } from './word-kinds.js';

/** How often each fact of a kind was found, in order of appearance. */
export type FactCounts = Map<string, number>;

export type FoundFacts = Readonly<Record<WordKind, FactCounts>>;

/** Addresses keep their query; numbers keep the commas between their thousands. */
const words =
  /[a-z][a-z0-9+.-]{1,10}:\/\/[^\s"'`<>()[\]{}|\\]+|(?:[^\s"'`<>()[\]{},;|*=\\]|(?<=\d),(?=\d{3}(?!\d)))+/g;
const leading = /^[-:!?&~^+]+(?=[^-/~])/;
const trailing = /[.,;:!?~^-]+$/;
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
  };
}

/** Adds the facts of a line to those found; a number with the unit behind it, a path without the line it points to. */
export function addFacts(line: string, found: FoundFacts): void {
  finish(addFactsInSteps(line, found));
}

/** As {@link addFacts}, in steps: a line may be as long as a value. */
export function* addFactsInSteps(raw: string, found: FoundFacts): Generator<void, void> {
  const line = decodeEscapes(raw);
  let amount: Amount | undefined;
  const pace = new Pace();
  for (const { 0: written, index } of line.matchAll(words)) {
    if (pace.isStep()) yield;
    const end = index + written.length;
    if (written.length > longestWord || isTag(line, index, end)) continue;
    const word = trimmed(written);
    const isUnit = isUnitOf(amount, word, index) && line[index - 1] === ' ';
    addAmount(amount, isUnit ? word : '', found);
    amount = plainNumber.test(word) ? { text: word, start: index, end } : undefined;
    if (!isUnit && !amount) addWord(word, line[index - 1], found);
  }
  addAmount(amount, '', found);
}

/** `</role>` or `<row_end/>`, which are no paths. */
function isTag(line: string, start: number, end: number): boolean {
  if (line[start - 1] !== '<') return false;
  return tag.test(line.slice(start, Math.min(end, start + longestTag)));
}

type Amount = Readonly<{ text: string; start: number; end: number }>;

function isUnitOf(amount: Amount | undefined, word: string, start: number): boolean {
  return amount?.end === start - 1 && unit.test(word);
}

function addAmount(amount: Amount | undefined, of: string, found: FoundFacts): void {
  if (!amount) return;
  if (of !== '') add(found.numbers, `${amount.text} ${of}`);
  // A number that begins a line counts the lines.
  else if (amount.start > 0) addWord(amount.text, undefined, found);
}

function addWord(word: string, before: string | undefined, found: FoundFacts): void {
  const kind = kindOf(word, before === '`');
  if (kind) add(found[kind], word);
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
