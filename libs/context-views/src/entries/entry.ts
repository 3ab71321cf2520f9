import { type JsonObject, type JsonValue } from '#event-sourcing';
import {
  type EndedDecision,
  type Item,
  type ItemKind,
  type ItemLookup,
  lostBasis,
  renderDecision,
} from '#shared-context';

import { refOf } from './item-ref.js';
import { isJsonObject } from './json-member.js';
import { type Section, timelineSection } from './section.js';
import { inLine, labelled, quotedName } from './shown-text.js';

/** `brief` and `bare` are of live decisions: without alternatives and trade-offs, and without anything but their text. */
export type EntryForm = 'whole' | 'brief' | 'bare' | 'digest' | 'line';

/** One thing the timeline of a view tells of. */
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
  /** Never dropped: its text stays whatever else gives way. */
  pinned: boolean;
  /** No longer in force. */
  isPast: boolean;
  /** The payload without what its heading says. */
  members: JsonObject;
  /** What digests are made of. */
  value: JsonValue;
}>;

const pastDecisions: ReadonlySet<unknown> = new Set(['superseded', 'rejected']);

/** Members that the heading of an entry says. */
const inHeading: ReadonlyMap<ItemKind, readonly string[]> = new Map<ItemKind, readonly string[]>([
  ['decision', ['decisionId', 'topic', 'supersedes', 'requiresApproval']],
  ['step-output', ['stepId', 'name']],
  ['step-failure', ['stepId']],
  ['record', ['recordId', 'kind']],
  ['review', ['reviewId', 'status']],
  ['handover', ['handoverId', 'priority']],
  ['input-request', ['inputRequestId']],
  ['requirement', ['requirementId', 'kind']],
  ['risk', ['riskId', 'severity']],
  ['dependency', ['name', 'kind']],
  ['blocker', ['blockerId']],
  ['task', ['taskId']],
  ['signal', ['signal', 'subject']],
]);

/** What the timeline of a context tells of, in no particular order. */
export function entriesOf(
  items: Iterable<Item>,
  current: ItemLookup,
  ended: readonly EndedDecision[] = [],
): readonly Entry[] {
  const entries: Entry[] = [];
  for (const item of items) {
    const section = timelineSection(item);
    if (section) entries.push(entryOf(item, section, { current, ended }));
  }
  return entries;
}

type Decisions = Readonly<{ current: ItemLookup; ended?: readonly EndedDecision[] }>;

/** What was made of an item lately: sizes, readings and pieces are known by the entry itself. */
const made = new WeakMap<Item, Entry>();

/** `ended`: decisions that are not in force any more, of all there are. The same entry again while nothing in it changes. */
export function entryOf(item: Item, section: Section, decisions: Decisions): Entry {
  const body = isJsonObject(item.body) ? item.body : {};
  const standing = standingOf(item, body, decisions);
  const known = made.get(item);
  if (known?.section === section && isSame(known.standing, standing)) return known;
  const entry = newEntry(item, body, { section, standing });
  made.set(item, entry);
  return entry;
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, at) => word === right[at]);
}

function newEntry(item: Item, body: JsonObject, told: Pick<Entry, 'section' | 'standing'>): Entry {
  const inWords = inHeading.get(item.kind) ?? [];
  const members = Object.fromEntries(
    Object.entries(body).filter(([name]) => !inWords.includes(name)),
  );
  const { agentId } = item.state;
  return {
    ...{ ref: refOf(item), kind: item.kind, key: item.key, ...told },
    version: placeOf(item),
    author: typeof agentId === 'string' ? agentId : null,
    pinned: isPinned(item),
    isPast: item.kind === 'decision' && pastDecisions.has(item.state['status']),
    members,
    value: item.kind === 'step-output' ? (body['output'] ?? null) : members,
  };
}

/** `v3 decision:DEC-001 by architect, live, topic database`. */
export function headingOf({ version, ref, author, standing }: Entry): string {
  const by = author === null ? [] : [`by ${quotedName(author)}`];
  const place = version < 1 ? 'inherited' : `v${version}`;
  return [[place, ref, ...by].join(' '), ...standing].join(', ');
}

/** The payload, verbatim. */
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

function payloadText({ members }: Entry, isKept: (name: string) => boolean): string {
  return Object.entries(members)
    .filter(([name]) => isKept(name))
    .map(([name, value]) => labelled(inLine(name), value))
    .join('');
}

function standingOf(
  item: Item,
  body: JsonObject,
  { current, ended = [] }: Decisions,
): readonly string[] {
  const rendered = item.kind === 'decision' ? renderDecision(item, current, ended) : undefined;
  const told = rendered ? decisionStanding(rendered, body) : payloadStanding(item, body);
  const isStale = rendered ? rendered['stale'] === true : lostBasis(item, ended) !== undefined;
  return isStale ? [...told, 'stale: it rests on a decision no longer in force'] : told;
}

function payloadStanding(item: Item, body: JsonObject): readonly string[] {
  return (inHeading.get(item.kind) ?? [])
    .slice(item.kind === 'signal' ? 0 : 1)
    .flatMap((name) => {
      const value = body[name];
      return typeof value === 'string' ? [`${name} ${quotedName(value)}`] : [];
    })
    .concat(item.kind === 'risk' ? [`status ${String(item.state['status'])}`] : []);
}

function decisionStanding(rendered: JsonObject, body: JsonObject): readonly string[] {
  const { status, supersededBy } = rendered;
  return [
    String(status),
    ...(typeof supersededBy === 'string' ? [`by ${quotedName(supersededBy)}`] : []),
    ...(typeof body['topic'] === 'string' ? [`topic ${quotedName(body['topic'])}`] : []),
    ...(typeof body['supersedes'] === 'string'
      ? [`supersedes ${quotedName(body['supersedes'])}`]
      : []),
  ];
}

/** Live decisions and constraints are never dropped. */
function isPinned({ kind, state, body }: Item): boolean {
  if (kind === 'decision') return state['status'] === 'live';
  return kind === 'requirement' && isJsonObject(body) && body['kind'] === 'constraint';
}

/** A decision stays where it was recorded; everything else is where it became what it is. */
function placeOf({ kind, state, fromVersion }: Item): number {
  const recorded = kind === 'decision' ? state['version'] : undefined;
  return typeof recorded === 'number' ? recorded : fromVersion;
}
