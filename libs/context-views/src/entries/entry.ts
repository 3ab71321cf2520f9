import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Item, type ItemKind } from '#shared-context';

import { type GroupTally } from '../segments/group-tally.js';
import { type Facts, Reading, factsIn } from '../digests/index.js';
import { type Tokenizer } from '../tokens/tokenizer.js';
import { type Section } from './section.js';
import { quotedRecord } from './record-text.js';
import { codeSpan, quotedMembers } from './quoted-text.js';
import { TextMemory } from './text-memory.js';

/** `brief` and `bare` are forms of live decisions: without alternatives and trade-offs, and with their text only. */
export type EntryForm = 'whole' | 'brief' | 'bare' | 'digest' | 'line';

type EntryFacts = Readonly<{
  ref: string;
  kind: ItemKind;
  key: string;
  section: Section;
  /** The version that changed it last; below 1 for an inherited entry, which comes first. */
  version: number;
  author: string | null;
  /** Labels of its status in the heading, after ref and author. */
  statusLabels: readonly string[];
  /** Shortened last: only if all pinned entries together do not fit. */
  pinned: boolean;
  /** Whether a decision is no longer in force. */
  isPast: boolean;
  /** Whether a person wrote it. */
  isByPerson: boolean;
}>;

/** `members`: the payload without the members in the heading. `value`: the value of digests. */
export type Payload = Readonly<{ members: JsonObject; value: JsonValue }>;

/** The item of an entry, and its outline. */
type Origin = Readonly<{ item: Item; outline: Item }>;

/** How many tallies are cached on an entry: each timeline may have other groups. */
const maxGroups = 8;

/** An entry of the timeline of a view. It caches its computed values. */
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

  /** The members of `payload` may be computed on each read. */
  constructor(
    facts: EntryFacts,
    private readonly payload: Payload,
    /** Undefined if the entry has several items. */
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

  /** Estimated tokens of the whole text: a quarter of its characters. */
  get size(): number {
    return (this.#size ??= Math.ceil(wholeText(this).length / 4));
  }

  get texts(): TextMemory {
    return (this.#texts ??= new TextMemory());
  }

  wholeUnits(tokenizer: Tokenizer): number {
    return this.texts.units(tokenizer, 'whole', () => wholeText(this));
  }

  /** The reading of its value: that of {@link read}, or a new one. */
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

  /** Drops the reading, which takes a few times the memory of the value. */
  forgetReading(): void {
    this.#reading = undefined;
  }

  /** The facts of its value, read in steps. The reading is not cached. */
  *facts(): Generator<void, Facts> {
    return factsIn(this.#reading ?? (yield* Reading.inSteps(this.value)));
  }

  /** The cached tally of a group of `leaves` leaves with these entries, the first of which is this one. */
  tallyOf({ leaves, entries }: EntryGroup): GroupTally | undefined {
    const isMatch = (group: EntryGroup) =>
      group.leaves === leaves && isSame(group.entries, entries);
    return this.#groups.find(({ group }) => isMatch(group))?.tally;
  }

  learnTally(group: EntryGroup, tally: GroupTally): void {
    this.#groups = [...this.#groups, { group, tally }].slice(-maxGroups);
  }
}

/** Entries of a class in `leaves` groups of versions of the smallest size. */
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

/** The heading, and the verbatim payload in a fence. */
export function wholeText(entry: Entry): string {
  return `## ${headingOf(entry)}\n${payloadText(entry, () => true)}`;
}

const argued = ['alternativesConsidered', 'tradeOffs', 'relatedRequirements', 'relatedDecisions'];

/** A live decision without some of its rationale. */
export function decisionText(entry: Entry, form: 'brief' | 'bare'): string {
  const isShown = (name: string) =>
    form === 'bare' ? name === 'decision' : name === 'decision' || !argued.includes(name);
  return `## ${headingOf(entry)}, shortened\n${payloadText(entry, isShown)}`;
}

function payloadText({ kind, members }: Entry, isShown: (name: string) => boolean): string {
  const shown = Object.entries(members).filter(([name]) => isShown(name));
  return kind === 'record' ? quotedRecord(shown) : quotedMembers(shown);
}
