import { Pace, finish } from '#shared-context';

import { decodeEscapes } from './decode-escapes.js';
import { isBare, labelBefore, longestLabel } from './labels.js';
import { type WordKind, kindOf } from './word-kinds.js';

/** The number of occurrences of each fact of a kind, in order of appearance. */
type FactCounts = Map<string, number>;

/** `labels`: labels of some facts at their first occurrence: the name of a member, or the word before a number. */
export type FoundFacts = Readonly<Record<WordKind, FactCounts>> &
  Readonly<{ labels: Map<string, string> }>;

/**
 * Addresses include their query, and numbers the commas between their thousands. A long dash separates words without
 * spaces.
 */
const words =
  /[a-z][a-z0-9+.-]{1,10}:\/\/[^\s"'`<>()[\]{}|\\—“”„«»‘’]+|(?:[^\s"'`<>()[\]{},;|*=\\—“”„«»‘’]|(?<=\d),(?=\d{3}(?!\d)))+/g;
/** Leading punctuation, except the sign of a number. */
const leading = /^(?:(?![-+][$€£¥]?\d)[-:!?&~^+])+(?=[^-/~])/;
const trailing = /[.,;:!?~^-]+$/;
/** The rest of a path with a pattern or a variable in it. */
const restOfPath = /^[*})>\]][./]/;
/** The line numbers at the start of a hunk of a patch. */
const hunk = /^@@ -\d/;
const position = /^(.+\.\w+):\d+(?::\d+)?$/;
const plainNumber = /^[+-]?\d[\d,.]*$/;
const unit =
  /^(?:%|ms|s|secs?|seconds?|min|mins|minutes?|hours?|hrs?|days?|weeks?|months?|years?|[kmgt]i?b|bytes?|chars?|characters?|tokens?|lines?|rows?|columns?|files?|tests?|errors?|warnings?|failures?|issues?|items?|steps?|tasks?|commits?|points?|pts|passed|failed|skipped|percent|px|km|kg|cm|mm|m|usd|eur|dollars?|users?|requests?|times|x)$/i;
const longestWord = 160;
const longestTag = 80;
const tag = /^(?:\/[\w:.-]*|[\w:.-]*\/)$/;
const maxFacts = 2_048;

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

/** Adds the facts of a line: a number with the unit after it, a path without its line number. */
export function addFacts(line: string, found: FoundFacts): void {
  finish(addFactsInSteps({ key: '', text: line }, found));
}

/**
 * As {@link addFacts}, in steps, because a line may be as long as a value. `key`: the member that contains the line.
 */
export function* addFactsInSteps(
  { key, text }: Readonly<{ key: string; text: string }>,
  found: FoundFacts,
): Generator<void, void> {
  const line = decodeEscapes(text);
  if (hunk.test(line)) return;
  const lineFacts = new LineFacts({ key, line }, found);
  const pace = new Pace();
  for (const { 0: written, index } of line.matchAll(words)) {
    if (pace.isStep()) yield;
    if (!isNoWord(line, index, index + written.length)) lineFacts.add(written, index);
  }
  lineFacts.end();
}

type Word = Readonly<{ text: string; written: string; start: number; before: Word | undefined }>;

/** Adds the facts of a line word by word: the meaning of a number depends on the words next to it. */
class LineFacts {
  private before: Word | undefined;
  private amount: Word | undefined;

  constructor(
    private readonly of: Readonly<{ key: string; line: string }>,
    private readonly found: FoundFacts,
  ) {}

  add(written: string, start: number): void {
    const word = { text: trimmed(written), written, start, before: this.before };
    // Only the previous word is used, so the chain of words need not stay in memory.
    this.before = { ...word, before: undefined };
    const isUnit = this.#isUnit(word);
    this.#addAmount(isUnit ? word.text : '');
    this.amount = plainNumber.test(word.text) ? word : undefined;
    if (!isUnit && !this.amount) this.#addWord(word);
  }

  end(): void {
    this.#addAmount('');
  }

  /** After `3.` or `3:` another sentence or text begins, and `-s` after `3` is an option. */
  #isUnit({ text, written, start }: Word): boolean {
    const { amount } = this;
    if (!amount || endOf(amount) !== start - 1 || this.of.line[start - 1] !== ' ') return false;
    return !trailing.test(amount.written) && written.startsWith(text) && unit.test(text);
  }

  #addAmount(unitOf: string): void {
    const { amount } = this;
    if (!amount) return;
    if (unitOf !== '') add(this.found.numbers, `${amount.text} ${unitOf}`);
    // A number at the start of a line is a line number, unless it is a member.
    else if (amount.start > 0 || (this.#isMember(amount) && this.of.key !== ''))
      this.#addWord(amount);
  }

  #addWord(word: Word): void {
    const { text, start } = word;
    const kind = kindOf(text, this.of.line[start - 1] === '`');
    if (!kind) return;
    add(this.found[kind], text);
    const needsLabel = kind === 'numbers' ? isBare(text) : this.#isMember(word);
    if (!needsLabel || this.found.labels.has(text)) return;
    const label = this.#labelOf(word, kind);
    if (label !== '') this.found.labels.set(text, label);
  }

  #isMember({ written }: Word): boolean {
    return written.length === this.of.line.length;
  }

  /**
   * The label of a number is the word before it; the label of a word that is alone in a member is the name of the
   * member.
   */
  #labelOf(word: Word, kind: WordKind): string {
    const { key, line } = this.of;
    if (this.#isMember(word))
      return (kind === 'numbers' || kind === 'identifiers') && key.length <= longestLabel
        ? key
        : '';
    const { before, start, text } = word;
    if (!before) return '';
    return labelBefore(text, { before: before.written, between: line.slice(endOf(before), start) });
  }
}

function endOf({ start, written }: Word): number {
  return start + written.length;
}

function isNoWord(line: string, start: number, end: number): boolean {
  if (end - start > longestWord || isTag(line, start, end)) return true;
  return restOfPath.test(line.slice(Math.max(0, start - 1), start + 1));
}

/** `</role>` or `<row_end/>`, which are not paths. */
function isTag(line: string, start: number, end: number): boolean {
  if (line[start - 1] !== '<') return false;
  return tag.test(line.slice(start, Math.min(end, start + longestTag)));
}

function trimmed(raw: string): string {
  const word = raw.replace(leading, '').replace(trailing, '');
  return position.exec(word)?.[1] ?? word;
}

function add(counts: FactCounts, fact: string): void {
  const count = counts.get(fact);
  if (count === undefined && counts.size >= maxFacts) return;
  counts.set(fact, (count ?? 0) + 1);
}
