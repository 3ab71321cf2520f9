import { type JsonValue, isJsonObject } from '#event-sourcing';
import { type Item, Staleness, bodyReaderOf } from '#shared-context';

import { type TimelineIndex } from '../compose/timeline-index.js';
import { bodyOf, outlineOf, payloadOf } from '../entries/entry-members.js';
import { type StatusContext, statusOfItem } from '../entries/item-status.js';
import { type Payload, Entry } from '../entries/entry.js';
import { refOf } from '../entries/item-ref.js';
import { isPersonsMessage } from '../entries/persons-message.js';
import { type Section, timelineSection } from '../entries/section.js';

const pastDecisions: ReadonlySet<unknown> = new Set(['superseded', 'rejected']);
const inForce: StatusContext = { staleness: Staleness.none };

/** The entries of the timeline of a context, in no particular order. `like`: entries of the same items are reused. */
export function* entriesOf(
  items: Iterable<Item>,
  status: StatusContext = inForce,
  like?: TimelineIndex,
): Generator<Entry> {
  for (const item of items) {
    const section = timelineSection(item);
    if (section) yield entryOf(item, section, status, like);
  }
}

/** Makes the entry of an item. Returns that of `like` if it has the same item and its status is the same. */
export function entryOf(
  item: Item,
  section: Section,
  status: StatusContext = inForce,
  like?: TimelineIndex,
): Entry {
  const outline = (status.outline ?? outlineOf)(item);
  const statusLabels = statusOfItem(outline, bodyOf(outline), status);
  const known = like && entryIn(like, item);
  if (known?.section === section && isSame(known.statusLabels, statusLabels)) return known;
  return newEntry({ item, outline }, { section, statusLabels: statusLabels });
}

/** The entry of the index with this item. */
function entryIn(index: TimelineIndex, item: Item): Entry | undefined {
  const found = index.find({ version: versionOf(item), ref: refOf(item) });
  return found?.origin?.item === item ? found : undefined;
}

function newEntry(
  { item, outline }: NonNullable<Entry['origin']>,
  { section, statusLabels }: Pick<Entry, 'section' | 'statusLabels'>,
): Entry {
  const facts = {
    ref: refOf(item),
    kind: item.kind,
    key: item.key,
    section,
    statusLabels,
    version: versionOf(item),
    author: authorOf(item),
    pinned: isPinned(outline),
    isPast: item.kind === 'decision' && pastDecisions.has(item.state['status']),
    isByPerson: isPersonsMessage(item),
  };
  const payload = bodyReaderOf(item) ? lazyPayload(item) : payloadOf(item);
  return new Entry(facts, payload, { item, outline });
}

/** Caches outlines: reading a body that is not in memory each time would take too long. */
export class Outlines {
  readonly #made = new WeakMap<Item, Item>();

  /** `like`: its outlines are reused for the same items. */
  constructor(private readonly like?: TimelineIndex) {}

  readonly of = (item: Item): Item => {
    if (!bodyReaderOf(item)) return item;
    const known = this.like && entryIn(this.like, item)?.origin;
    const outline = this.#made.get(item) ?? known?.outline ?? outlineOf(item);
    this.#made.set(item, outline);
    return outline;
  };
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, at) => word === right[at]);
}

function lazyPayload(item: Item): Payload {
  return {
    get members() {
      return payloadOf(item).members;
    },
    get value() {
      return payloadOf(item).value;
    },
  };
}

/** The author of a phase is the agent that completed it, even if its payload names another one. */
function authorOf({ kind, state, sources }: Item): string | null {
  if (kind === 'creation') return stringOf(state['createdBy']);
  const last = kind === 'phase' ? sources?.at(-1)?.author : undefined;
  return last ?? stringOf(state['agentId']);
}

function stringOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** A decision has the version at which it was recorded; every other item has the version that changed it last. */
function versionOf({ kind, state, fromVersion }: Item): number {
  const recorded = kind === 'decision' ? state['version'] : undefined;
  return typeof recorded === 'number' ? recorded : fromVersion;
}

/** Whether an item is protected: the input of the context, a live decision or a constraint. */
function isPinned({ kind, state, body }: Item): boolean {
  if (kind === 'creation') return true;
  if (kind === 'decision') return state['status'] === 'live';
  return kind === 'requirement' && isJsonObject(body) && body['kind'] === 'constraint';
}
