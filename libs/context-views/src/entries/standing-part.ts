import { type JsonValue } from '#event-sourcing';

import { type Segment } from '../compose/segment.js';
import { Reading, digestOf, lineIn } from '../digests/index.js';
import { type Section } from './section.js';
import { codeSpan, quoted } from './shown-text.js';
import { beginningOf } from './value-beginning.js';

/** A current item that changes often: it is shown after the timeline. */
export type StandingPart = Readonly<{
  /** Of the item it is; null for what is made of many. */
  ref: string | null;
  /** Kind and key of that item. */
  item?: string;
  section: Section;
  /** The version that made it what it is; 0 for what is made of many. */
  version: number;
  whole: string;
  /** Characters of the whole text, if it is made only when it is needed. */
  wholeLength?: number;
  /** Shorter than the whole text; the same text where nothing of it may give way. */
  brief: string;
  pinned: boolean;
  /** What its digests and lines are made of, if it is pinned and can be shortened: how they begin, and the value. */
  shortening?: Shortening;
  /** The same with its names cut, of the state. */
  shortest?: string;
  /** Its texts are already a shorter form, or stand for many parts. */
  shownAs?: Pick<Segment, 'form' | 'whole' | 'covers'>;
}>;

type Shortening = Readonly<{ heading: string; value: JsonValue }>;

/** The newest version of the items of these parts; 1 if there are none. */
export function newestOf(parts: readonly StandingPart[]): number {
  return parts.reduce((newest, { version }) => Math.max(newest, version), 1);
}

/** Characters of the whole text, without making it. */
export function lengthOf(part: StandingPart): number {
  return part.wholeLength ?? part.whole.length;
}

const lineRoom = 120;
/** Characters of a pinned value that are read for a digest or a line. */
export const digestReads = 32_768;
const lineReads = 2_048;

/** A pinned part as a digest of about `room` characters; the whole text if the digest is not shorter. */
export function digestOfPart({ whole, shortening }: StandingPart, room: number): string {
  if (!shortening) return whole;
  const digest = digestOf(beginningOf(shortening.value, digestReads), room);
  return shorter(`${shortening.heading}, digest:\n${quoted(digest)}`, whole);
}

/** A pinned part as a line; the whole text if the line is not shorter. */
export function lineOfPart({ whole, shortening }: StandingPart): string {
  if (!shortening) return whole;
  const { heading, value } = shortening;
  return shorter(lineWith(heading, Reading.of(beginningOf(value, lineReads))), whole);
}

export function lineWith(heading: string, reading: Reading): string {
  return `${heading}: ${codeSpan(lineIn(reading, lineRoom))}\n`;
}

export function shorter(text: string, whole: string): string {
  return text.length < whole.length ? text : whole;
}
