import { type JsonValue } from '#event-sourcing';
import { type Item, finish } from '#shared-context';

import { SmallCache } from '../segments/small-cache.js';
import { type Segment } from '../segments/segment.js';
import { Reading, digestOf, lineIn } from '../digests/index.js';
import { type Tokenizer } from '../tokens/tokenizer.js';
import { type Section } from './section.js';
import { codeSpan, quoted } from './quoted-text.js';
import { TextMemory } from './text-memory.js';
import { beginningOf } from './value-beginning.js';

export type PartFacts = Readonly<{
  /** Of the item it is; null for what is made of many. */
  ref: string | null;
  /** That item; undefined if the part is not all that is made of it. */
  item?: Item | undefined;
  section: Section;
  /** The version that made it what it is; 0 for what is made of many. */
  version: number;
  whole: string;
  /** Characters of the texts, if these are made only when they are needed. */
  lengths?: Readonly<{ whole: number; brief: number }>;
  /** Shorter than the whole text; the same text where nothing of it may give way. */
  brief: string;
  pinned: boolean;
  /** What its digests and lines are made of, if it is pinned and can be shortened: how they begin, and the value. */
  shortening?: Shortening;
  /** The same with its names cut, of the state. */
  shortest?: string;
  /** Its texts are already a shorter form, or stand for many parts. */
  shownAs?: Pick<Segment, 'form' | 'original' | 'covers'>;
}>;

type Shortening = Readonly<{ heading: string; value: JsonValue }>;

/** Forms of pinned parts, by the room that budgets leave for digests. */
const maxForms = 16;

/** A current item that changes often and is shown after the timeline. It caches what is computed from it. */
export class CurrentStateSection {
  readonly ref: string | null;
  readonly item: Item | undefined;
  readonly section: Section;
  readonly version: number;
  readonly pinned: boolean;
  readonly shortest: string | undefined;
  readonly shownAs: PartFacts['shownAs'];
  /** Characters of the whole text. */
  readonly length: number;
  readonly texts = new TextMemory();
  readonly shorter = new SmallCache<CurrentStateSection>(maxForms);

  /** Texts may be made whenever they are read. */
  constructor(private readonly facts: PartFacts) {
    this.ref = facts.ref;
    this.item = facts.item;
    this.section = facts.section;
    this.version = facts.version;
    this.pinned = facts.pinned;
    this.shortest = facts.shortest;
    this.shownAs = facts.shownAs;
    this.length = facts.lengths?.whole ?? facts.whole.length;
  }

  get whole(): string {
    return this.facts.whole;
  }

  get brief(): string {
    return this.facts.brief;
  }

  get shortening(): Shortening | undefined {
    return this.facts.shortening;
  }

  /** Whether its texts are made whenever they are read. */
  get isLazy(): boolean {
    return this.facts.lengths !== undefined;
  }

  /** Whether nothing of it may give way. */
  get isBriefWhole(): boolean {
    return (this.facts.lengths?.brief ?? this.brief.length) === this.length;
  }

  wholeUnits(tokenizer: Tokenizer): number {
    return this.texts.units(tokenizer, 'whole', () => this.whole);
  }

  /** Other sources of the same item must not take over what is changed here. */
  with(changes: Omit<Partial<PartFacts>, 'item'>): CurrentStateSection {
    return new CurrentStateSection({ ...this.facts, ...changes, item: undefined });
  }
}

/** A part whose item has its body outside of memory. Made in steps; its texts are made again whenever they are needed. */
export function* lazyPart(
  item: Item,
  make: (item: Item) => Generator<void, PartFacts>,
): Generator<void, PartFacts> {
  const { whole, brief, shortening, ...facts } = yield* make(item);
  // Nothing below may refer to `whole`: the part would keep the text in memory.
  const short = brief.length < whole.length ? brief : undefined;
  const again = () => finish(make(item));
  return {
    ...facts,
    lengths: { whole: whole.length, brief: brief.length },
    get whole() {
      return again().whole;
    },
    get brief() {
      return short ?? again().brief;
    },
    ...(shortening && { shortening: lazyShortening(shortening.heading, again) }),
  };
}

function lazyShortening(heading: string, again: () => PartFacts) {
  return {
    heading,
    get value() {
      return again().shortening?.value ?? null;
    },
  };
}

/** The newest version of the items of these parts; 1 if there are none. */
export function newestOf(parts: readonly Pick<CurrentStateSection, 'version'>[]): number {
  return parts.reduce((newest, { version }) => Math.max(newest, version), 1);
}

const lineRoom = 120;
/** Characters of a pinned value that are read for a digest or a line. */
export const digestReads = 32_768;
const lineReads = 2_048;

/** A pinned part as a digest of about `room` characters; undefined if that is not shorter. */
export function digestOfPart(part: CurrentStateSection, room: number): string | undefined {
  const { shortening } = part;
  if (!shortening) return undefined;
  const digest = digestOf(beginningOf(shortening.value, digestReads), room);
  return ifShorter(`${shortening.heading}, digest:\n${quoted(digest)}`, part);
}

/** A pinned part as a line; undefined if that is not shorter. */
export function lineOfPart(part: CurrentStateSection): string | undefined {
  if (!part.shortening) return undefined;
  const { heading, value } = part.shortening;
  return ifShorter(lineWith(heading, Reading.of(beginningOf(value, lineReads))), part);
}

export function lineWith(heading: string, reading: Reading): string {
  return `${heading}: ${codeSpan(lineIn(reading, lineRoom))}\n`;
}

export function shorter(text: string, whole: string): string {
  return text.length < whole.length ? text : whole;
}

function ifShorter(text: string, { length }: CurrentStateSection): string | undefined {
  return text.length < length ? text : undefined;
}
