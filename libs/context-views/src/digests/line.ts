import { type JsonValue } from '#event-sourcing';

import { factWords, factsShownIn } from './fact-lists.js';
import { type LineRanks, type RankedLine } from './line-ranks.js';
import { Reading } from './read-value.js';
import { segmentStart, wholeSegmentStart, clip, clipAction } from './clipped-text.js';

/** Shares of the room for an action with its result, and for the most important line of a text, if facts follow. */
const stepShare = 0.75;
const lineShare = 0.6;
const separator = ' · ';
/** The share of that for the action, so that its result fits. */
const actionShare = 0.5;
/** A shorter line is only the heading of an error. */
const shortestError = 10;
/** A shorter text may be a part of other words. */
const shortestRepeated = 24;
const shortestPiece = 12;
const maxMembers = 6;
/** A shorter title needs a line after it. */
const shortTitle = 32;
const maxMore = 3;

/**
 * A value in one line of at most `room` characters: all of it if it fits, else its most important lines, then facts.
 */
export function lineOf(value: JsonValue, room: number): string {
  return lineIn(Reading.of(value), room);
}

export function lineIn(read: Reading, room: number): string {
  const text = read.whole(room)?.replaceAll('\n', '; ');
  const whole = text === undefined ? undefined : wholeSegmentStart(text, room);
  if (whole !== undefined) return whole;
  const [chosen, start] = [
    segmentStart(shortened(read, room), room),
    segmentStart(read.start(room), room),
  ];
  return read.countFacts(start) > read.countFacts(chosen) ? start : chosen;
}

function shortened({ found, ranks }: Reading, room: number): string {
  const subject = ranks.of('action')[0] ?? ranks.title;
  const pieces = [...(subject ? [subject.text] : []), ...resultOf(ranks, subject)];
  const share = subject?.rank === 'action' ? stepShare : lineShare;
  const limit = Math.floor(room * share);
  const more = moreLines(ranks, pieces);
  const lead = joined(pieces, limit, subject !== undefined);
  const short = isShortTitle(pieces, subject) ? add(lead, more.slice(0, 1), limit) : lead;
  const left = room - short.length - separator.length;
  const facts = factWords(found, left, factsShownIn(short));
  return facts.length > 0
    ? `${short}${separator}${facts.join(', ')}`
    : add(joined(pieces, room, subject !== undefined), more, room);
}

function isShortTitle(pieces: readonly string[], subject: RankedLine | undefined): boolean {
  return pieces.length === 1 && isTitle(subject) && (subject?.text.length ?? 0) < shortTitle;
}

function isTitle(subject: RankedLine | undefined): boolean {
  return subject !== undefined && subject.rank !== 'action';
}

/** The first lines that add something to the pieces, in the order of the value. */
function moreLines(ranks: LineRanks, pieces: readonly string[]): readonly string[] {
  const lines = (['purpose', 'field', 'item', 'other'] as const)
    .flatMap((rank) => ranks.of(rank).slice(0, maxMembers))
    .filter(({ text, bare }) => !pieces.some((piece) => piece === text || piece.includes(bare)))
    .sort((left, right) => left.at - right.at);
  const distinct = new Map(lines.toReversed().map((line) => [line.bare, line]));
  return [...distinct.values()]
    .reverse()
    .slice(0, maxMore)
    .map(({ text }) => text);
}

/** As many pieces as fit; the first one leaves a part of the room to the others. */
function joined(pieces: readonly string[], room: number, hasSubject: boolean): string {
  const [first = '', ...others] = pieces;
  const after = others.join(separator);
  if (!hasSubject || after === '') return add('', pieces, room);
  const limit = Math.max(Math.floor(room * actionShare), room - after.length - separator.length);
  return add(clipAction(first, limit), others, room);
}

function add(start: string, pieces: readonly string[], room: number): string {
  let text = start;
  for (const piece of pieces) {
    const before = text === '' ? '' : `${text}${separator}`;
    const left = room - before.length;
    if (piece.length <= left || left >= shortestPiece || text === '')
      text = before + clip(piece, left);
  }
  return text;
}

/** The result of an action, or the text below a title: its outcome, then the most important line about it. */
function resultOf(ranks: LineRanks, subject: RankedLine | undefined): readonly string[] {
  const [outcome] = ranks.of('outcome');
  const more = tellingOf(ranks, { subject, outcome })?.text ?? restOf(ranks, subject ?? outcome);
  return [outcome?.text ?? '', more].filter((text) => text !== '');
}

type KnownLines = Readonly<Record<'subject' | 'outcome', RankedLine | undefined>>;

/** The first error of a step, or the first verdict, unless it repeats the known lines. */
function tellingOf(ranks: LineRanks, { subject, outcome }: KnownLines): RankedLine | undefined {
  const isStep = outcome !== undefined || subject?.rank === 'action';
  const isNew = (line: RankedLine) => line !== subject && !isIn(outcome, line);
  const error = isStep ? errorOf(ranks) : undefined;
  return error && isNew(error) ? error : ranks.of('verdict').find(isNew);
}

/** Whether a line repeats another one with more words around it. */
function isIn(known: RankedLine | undefined, { bare }: RankedLine): boolean {
  return known !== undefined && known.bare.length >= shortestRepeated && bare.includes(known.bare);
}

/** The first members of the result of an action, or the last line of a text. */
function restOf(ranks: LineRanks, subject: RankedLine | undefined): string {
  const other = () => otherLine(ranks, subject)?.text ?? '';
  // Members after a title are less important than its facts.
  if (isMemberTitle(ranks, subject)) return '';
  if (subject?.rank !== 'action') return other();
  const members = ranks.of('other').filter(isMember).slice(0, maxMembers);
  if (members.length > 0) return members.map(({ text }) => text).join(', ');
  return ranks.last === undefined || ranks.last === subject ? other() : ranks.last.text;
}

function isMemberTitle(ranks: LineRanks, subject: RankedLine | undefined): boolean {
  return subject !== undefined && subject === ranks.title && isMember(subject);
}

function isMember({ text, bare }: RankedLine): boolean {
  return text !== bare;
}

function errorOf(ranks: LineRanks): RankedLine | undefined {
  return ranks.of('error').find(({ bare }) => bare.length > shortestError);
}

function otherLine(ranks: LineRanks, subject: RankedLine | undefined): RankedLine | undefined {
  const purpose = ranks.of('purpose').find(({ bare }) => bare.length > shortestError);
  const first = [...ranks.of('other').slice(0, 1), ...ranks.of('item').slice(0, 1)].sort(
    (left, right) => left.at - right.at,
  );
  const lines = [ranks.of('field')[0], purpose, errorOf(ranks), ranks.first, ...first];
  const rest = subject ? [] : [ranks.of('scrap')[0], ranks.of('wrapper')[0]];
  return [...lines, ...rest].find((line) => line !== undefined && line !== subject);
}
