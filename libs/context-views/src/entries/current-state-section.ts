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
  /** The ref of its item; null for a part of many items. */
  ref: string | null;
  /** Its item; undefined if the part does not show all of the item. */
  item?: Item | undefined;
  section: Section;
  /** The version that changed it last; 0 for a part of many items. */
  version: number;
  whole: string;
  /** Characters of the texts, if these are built on demand. */
  lengths?: Readonly<{ whole: number; brief: number }>;
  /** Shorter than the whole text; the same text if it may not be shortened. */
  brief: string;
  pinned: boolean;
  /** The heading and the value of its digests and lines, if it is pinned and can be shortened. */
  shortening?: Shortening;
  /** The whole text of the state with shortened names. */
  shortest?: string;
  /** Set if its texts are already a shorter form, or represent many parts. */
  shownAs?: Pick<Segment, 'form' | 'original' | 'covers'>;
}>;

type Shortening = Readonly<{ heading: string; value: JsonValue }>;

/** How many forms of pinned parts are cached, by the room that budgets leave for digests. */
const maxCachedForms = 16;

/** A current item that changes often and is shown after the timeline. It caches its computed forms. */
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
  readonly shorter = new SmallCache<CurrentStateSection>(maxCachedForms);

  /** The texts of `facts` may be built on each read. */
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

  /** Whether its texts are built on each read. */
  get isLazy(): boolean {
    return this.facts.lengths !== undefined;
  }

  /** Whether it may not be shortened. */
  get isBriefWhole(): boolean {
    return (this.facts.lengths?.brief ?? this.brief.length) === this.length;
  }

  wholeUnits(tokenizer: Tokenizer): number {
    return this.texts.units(tokenizer, 'whole', () => this.whole);
  }

  /** The copy has no item, so that other sources of the same item do not reuse the changes. */
  with(changes: Omit<Partial<PartFacts>, 'item'>): CurrentStateSection {
    return new CurrentStateSection({ ...this.facts, ...changes, item: undefined });
  }
}

/** A part of an item whose body is not in memory. Built in steps; its texts are rebuilt on each read. */
export function* lazyPart(
  item: Item,
  make: (item: Item) => Generator<void, PartFacts>,
): Generator<void, PartFacts> {
  const { whole, brief, shortening, ...facts } = yield* make(item);
  // Nothing below may refer to `whole`: the part would keep the text in memory.
  const short = brief.length < whole.length ? brief : undefined;
  const rebuild = () => finish(make(item));
  return {
    ...facts,
    lengths: { whole: whole.length, brief: brief.length },
    get whole() {
      return rebuild().whole;
    },
    get brief() {
      return short ?? rebuild().brief;
    },
    ...(shortening && { shortening: lazyShortening(shortening.heading, rebuild) }),
  };
}

function lazyShortening(heading: string, rebuild: () => PartFacts) {
  return {
    heading,
    get value() {
      return rebuild().shortening?.value ?? null;
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
