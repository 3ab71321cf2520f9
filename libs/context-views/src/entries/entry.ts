import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Item, type ItemKind, Staleness, bodyReaderOf } from '#shared-context';

import { bodyOf, payloadOf, withoutLarge } from './entry-members.js';
import { type Standing, standingOf } from './entry-standing.js';
import { refOf } from './item-ref.js';
import { isJsonObject } from './json-member.js';
import { type Section, timelineSection } from './section.js';
import { quotedRecord } from './record-text.js';
import { codeSpan, quotedMembers } from './shown-text.js';

/** `brief` and `bare` are of live decisions: without alternatives and trade-offs, and without anything but their text. */
export type EntryForm = 'whole' | 'brief' | 'bare' | 'digest' | 'line';

/** An entry of the timeline of a view. */
export type Entry = Readonly<{
  ref: string;
  kind: ItemKind;
  key: string;
  section: Section;
  /** The version that made it what it is; what was inherited has none of its own and comes first. */
  version: number;
  author: string | null;
  /** What it is, in the words of its heading behind ref and author. */
  standing: readonly string[];
  /** Gives way last: it is shortened only if what is pinned does not fit by itself. */
  pinned: boolean;
  /** No longer in force. */
  isPast: boolean;
  /** The payload without what its heading says. */
  members: JsonObject;
  /** What digests are made of. */
  value: JsonValue;
}>;

const pastDecisions: ReadonlySet<unknown> = new Set(['superseded', 'rejected']);

/** The entries of the timeline of a context, in no particular order. */
export function* entriesOf(
  items: Iterable<Item>,
  standing: Standing = { staleness: Staleness.none },
): Generator<Entry> {
  for (const item of items) {
    const section = timelineSection(item);
    if (section) yield entryOf(item, section, standing);
  }
}

/** What was made of an item lately: sizes, readings and pieces are known by the entry itself. */
const made = new WeakMap<Item, Entry>();

/** Makes the entry of an item. Returns the same object while nothing in it has changed. */
export function entryOf(
  item: Item,
  section: Section,
  among: Standing = { staleness: Staleness.none },
): Entry {
  const light = withoutLarge(item);
  const standing = standingOf(light, bodyOf(light), among);
  const known = made.get(item);
  if (known?.section === section && isSame(known.standing, standing)) return known;
  const entry = newEntry(item, isPinned(light), { section, standing });
  made.set(item, entry);
  return entry;
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, at) => word === right[at]);
}

function newEntry(item: Item, pinned: boolean, told: Pick<Entry, 'section' | 'standing'>): Entry {
  const facts = {
    ...{ ref: refOf(item), kind: item.kind, key: item.key, ...told },
    version: placeOf(item),
    author: authorOf(item),
    pinned,
    isPast: item.kind === 'decision' && pastDecisions.has(item.state['status']),
  };
  if (!bodyReaderOf(item)) return { ...facts, ...payloadOf(item) };
  return {
    ...facts,
    get members() {
      return payloadOf(item).members;
    },
    get value() {
      return payloadOf(item).value;
    },
  };
}

/** A phase is by whoever completed it, and not by an agent that is said to work on it. */
function authorOf({ kind, state, sources }: Item): string | null {
  if (kind === 'creation') return stringOf(state['createdBy']);
  const last = kind === 'phase' ? sources?.at(-1)?.author : undefined;
  return last ?? stringOf(state['agentId']);
}

function stringOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** ``v3 `decision:DEC-001` by `architect`, live, topic `database` ``. */
export function headingOf({ version, ref, author, standing }: Entry): string {
  const by = author === null ? [] : [`by ${codeSpan(author)}`];
  const place = version < 1 ? 'inherited' : `v${version}`;
  return [[place, codeSpan(ref), ...by].join(' '), ...standing].join(', ');
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

/** Whether the budget shortens an item last: the input of the context, live decisions and constraints. */
function isPinned({ kind, state, body }: Item): boolean {
  if (kind === 'creation') return true;
  if (kind === 'decision') return state['status'] === 'live';
  return kind === 'requirement' && isJsonObject(body) && body['kind'] === 'constraint';
}

/** A decision stays where it was recorded; everything else is where it became what it is. */
function placeOf({ kind, state, fromVersion }: Item): number {
  const recorded = kind === 'decision' ? state['version'] : undefined;
  return typeof recorded === 'number' ? recorded : fromVersion;
}
