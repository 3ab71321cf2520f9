import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Item, type ItemKind } from '#shared-context';

import { type GroupTally } from '../segments/group-tally.js';
import { type Facts, Reading, factsIn } from '../digests/index.js';
import { type Tokenizer } from '../tokens/tokenizer.js';
import { type Section } from './section.js';
import { quotedRecord } from './record-text.js';
import { codeSpan, quotedMembers } from './quoted-text.js';
import { TextMemory } from './text-memory.js';

/** `brief` and `bare` are of live decisions: without alternatives and trade-offs, and without anything but their text. */
export type EntryForm = 'whole' | 'brief' | 'bare' | 'digest' | 'line';

type EntryFacts = Readonly<{
  ref: string;
  kind: ItemKind;
  key: string;
  section: Section;
  /** The version that made it what it is; what was inherited has none of its own and comes first. */
  version: number;
  author: string | null;
  /** What it is, in the words of its heading behind ref and author. */
  statusLabels: readonly string[];
  /** Gives way last: it is shortened only if what is pinned does not fit by itself. */
  pinned: boolean;
  /** No longer in force. */
  isPast: boolean;
  /** What a person said. */
  isByPerson: boolean;
}>;

/** `members`: the payload without what the heading says. `value`: what digests are made of. */
export type Payload = Readonly<{ members: JsonObject; value: JsonValue }>;

/** The item that an entry was made of, and its outline. */
type Origin = Readonly<{ item: Item; outline: Item }>;

/** Of entries in a group of versions: each timeline may show others of them. */
const maxGroups = 8;

/** An entry of the timeline of a view. What was computed of it is stored on it. */
export class Entry implements EntryFacts, Payload {
  readonly ref: string;
  readonly kind: ItemKind;
  readonly key: string;
  readonly section: Section;
  readonly version: number;
  readonly author: string | null;
  readonly statusLabels: readonly string[];
  readonly pinned: boolean;
  readonly isPast: boolean;
  readonly isByPerson: boolean;
  #size: number | undefined;
  #reading: Reading | undefined;
  #texts: TextMemory | undefined;
  #groups: readonly TalliedGroup[] = [];

  /** The members of a payload may be made whenever they are read. */
  constructor(
    facts: EntryFacts,
    private readonly payload: Payload,
    /** Undefined if it was made of several items. */
    readonly origin?: Origin,
  ) {
    this.ref = facts.ref;
    this.kind = facts.kind;
    this.key = facts.key;
    this.section = facts.section;
    this.version = facts.version;
    this.author = facts.author;
    this.statusLabels = facts.statusLabels;
    this.pinned = facts.pinned;
    this.isPast = facts.isPast;
    this.isByPerson = facts.isByPerson;
  }

  get members(): JsonObject {
    return this.payload.members;
  }

  get value(): JsonValue {
    return this.payload.value;
  }

  /** Estimated tokens of it whole: a quarter of its characters. */
  get size(): number {
    return (this.#size ??= Math.ceil(wholeText(this).length / 4));
  }

  get texts(): TextMemory {
    return (this.#texts ??= new TextMemory());
  }

  wholeUnits(tokenizer: Tokenizer): number {
    return this.texts.units(tokenizer, 'whole', () => wholeText(this));
  }

  /** What was read of its value, by {@link read} or at once. */
  get reading(): Reading {
    return (this.#reading ??= Reading.of(this.value));
  }

  get isRead(): boolean {
    return this.#reading !== undefined;
  }

  /** Reads its value in steps. */
  *read(): Generator<void, void> {
    this.#reading ??= yield* Reading.inSteps(this.value);
  }

  /** What was read takes a few times the memory of the value. */
  forgetReading(): void {
    this.#reading = undefined;
  }

  /** The facts of its value, read in steps. What is read for them is not stored. */
  *facts(): Generator<void, Facts> {
    return factsIn(this.#reading ?? (yield* Reading.inSteps(this.value)));
  }

  /** The tally of a group of so many leaves with these entries, if it was made; this is the first of them. */
  tallyOf({ leaves, entries }: EntryGroup): GroupTally | undefined {
    const isWanted = (group: EntryGroup) =>
      group.leaves === leaves && isSame(group.entries, entries);
    return this.#groups.find(({ group }) => isWanted(group))?.tally;
  }

  learnTally(group: EntryGroup, tally: GroupTally): void {
    this.#groups = [...this.#groups, { group, tally }].slice(-maxGroups);
  }
}

/** Entries of a class in groups of versions of the smallest size. `leaves`: the number of these groups. */
export type EntryGroup = Readonly<{ leaves: number; entries: readonly Entry[] }>;

type TalliedGroup = Readonly<{ group: EntryGroup; tally: GroupTally }>;

function isSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((one, at) => one === right[at]);
}

/** ``v3 `decision:DEC-001` by `architect`, live, topic `database` ``. */
export function headingOf({ version, ref, author, statusLabels }: Entry): string {
  const by = author === null ? [] : [`by ${codeSpan(author)}`];
  const place = version < 1 ? 'inherited' : `v${version}`;
  return [[place, codeSpan(ref), ...by].join(' '), ...statusLabels].join(', ');
}

/** The payload, verbatim, in a fence. */
export function wholeText(entry: Entry): string {
  return `## ${headingOf(entry)}\n${payloadText(entry, () => true)}`;
}

const argued = ['alternativesConsidered', 'tradeOffs', 'relatedRequirements', 'relatedDecisions'];

/** A live decision with less of what was said for it. */
export function decisionText(entry: Entry, form: 'brief' | 'bare'): string {
  const isKept = (name: string) =>
    form === 'bare' ? name === 'decision' : name === 'decision' || !argued.includes(name);
  return `## ${headingOf(entry)}, shortened\n${payloadText(entry, isKept)}`;
}

function payloadText({ kind, members }: Entry, isKept: (name: string) => boolean): string {
  const kept = Object.entries(members).filter(([name]) => isKept(name));
  return kind === 'record' ? quotedRecord(kept) : quotedMembers(kept);
}
