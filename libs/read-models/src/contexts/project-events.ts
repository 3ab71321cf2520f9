import {
  type Activity,
  type Item,
  type ItemKey,
  type ItemLookup,
  authorOf,
  baseOf,
  changedItem,
  foldEvent,
  isContent,
  isSameActivity,
  noActivity,
  sourceOf,
  touchedKeys,
} from '#shared-context';

import { type ContextHead, advanceHead } from './context-head.js';
import { type ContextId, contextStream } from './context-stream.js';
import { type DecodedEvent } from './decode-event.js';
import { type LineageRow } from './lineage-rows.js';
import { receiptHash } from './receipt-hash.js';

/** One item in one version span; `toVersion` null while it is current, `state` null where it says the item is gone. */
export type ItemRow = ContextId &
  Omit<Item, 'state'> &
  Readonly<{ state: Item['state'] | null; toVersion: number | null }>;

export type VersionRow = ContextId &
  Readonly<{
    version: number;
    recordedAt: string;
    principal: string;
    bytes: number;
    tokens: number;
    eventId: string;
    correlationId: string | null;
    causationId: string | null;
    /** The hash of the receipt it cites. */
    basedOn: string | null;
    /** Null where it is what it was at the version before. */
    activity: Activity | null;
  }>;

/** What a run of events does to the rows of one context. */
export type ContextChanges = Readonly<{
  head: ContextHead;
  /** Rows that were current before and end at `toVersion`. */
  ended: readonly (ContextId & ItemKey & { fromVersion: number; toVersion: number })[];
  added: readonly ItemRow[];
  versions: readonly VersionRow[];
  agents: readonly string[];
  lineage: LineageRow | undefined;
  /** With a lineage: the work among the items it stands on. */
  standing: readonly Item[];
}>;

/**
 * The items of a context that are current, as far as they are needed. Where the first event has a base they are the
 * items it is folded over; `activity` is what there was at the base, and `standing` the work.
 */
export type CurrentItems = Readonly<{
  find(key: ItemKey): Item | undefined;
  activity?: Activity | undefined;
  standing?: readonly Item[] | undefined;
}>;

/** Every item the events may read or change. */
export function keysOf(events: readonly DecodedEvent[]): ItemKey[] {
  const keys = new Map<string, ItemKey>();
  for (const key of events.flatMap((event) => touchedKeys(event))) keys.set(keyText(key), key);
  return [...keys.values()];
}

/** Folds events that follow `head` without a gap into row changes; only the first may have a base. Pure. */
export function projectEvents(
  id: ContextId,
  head: ContextHead | undefined,
  current: CurrentItems,
  events: readonly [DecodedEvent, ...DecodedEvent[]],
): ContextChanges {
  const lineage = lineageOf(id, events[0]);
  const items = new ItemSpans(id, current, newestLayer(head, lineage));
  const versions: VersionRow[] = [];
  let at = head;
  for (const event of events) {
    requireNext(id, at, event);
    const before = at?.activity;
    at = advanceHead(id, at, event, items.lookup);
    items.apply(event);
    if (current.activity && event === events[0]) at = { ...at, activity: current.activity };
    versions.push(versionRow(event, at, before));
  }
  const agents = [...new Set(events.map(authorOf))];
  const { ended } = items;
  const { standing = [] } = current;
  // The tuple type says there is at least one event, so `at` was set.
  return {
    head: at as ContextHead,
    ended,
    added: items.added(),
    versions,
    agents,
    lineage,
    standing,
  };
}

function newestLayer(head: ContextHead | undefined, lineage: LineageRow | undefined): number {
  return lineage?.fromVersion ?? head?.lineage ?? 0;
}

function requireNext(
  id: ContextId,
  head: ContextHead | undefined,
  { version }: DecodedEvent,
): void {
  const at = head?.version ?? 0;
  if (version !== at + 1)
    throw new Error(`${contextStream(id)}: event ${version} does not follow version ${at}`);
}

function lineageOf(id: ContextId, event: DecodedEvent): LineageRow | undefined {
  const base = baseOf(id.contextId, event);
  if (!base) return undefined;
  const { contextId: baseContext, version: baseVersion } = base;
  return { ...id, fromVersion: event.version, baseContext, baseVersion };
}

function versionRow(
  event: DecodedEvent,
  head: ContextHead,
  before: Activity = noActivity,
): VersionRow {
  return {
    workspace: head.workspace,
    contextId: head.contextId,
    version: event.version,
    recordedAt: event.recordedAt,
    principal: event.principal,
    bytes: head.bytes,
    tokens: head.tokens,
    eventId: event.eventId,
    correlationId: event.envelope.correlationId,
    causationId: event.envelope.causationId,
    basedOn: receiptHash(event.envelope.basedOn),
    activity: isSameActivity(before, head.activity) ? null : head.activity,
  };
}

const removed = { state: null, body: undefined, toVersion: null };

/** Keeps spans while events are folded: what ended of the stored rows, and what is new. */
class ItemSpans {
  readonly ended: (ContextId & ItemKey & { fromVersion: number; toVersion: number })[] = [];
  readonly #past: ItemRow[] = [];
  /** Rows that hide what an older layer holds; never ended, since a newer row in their layer counts before them. */
  readonly #gone: ItemRow[] = [];
  readonly #now = new Map<string, Item | undefined>();
  readonly #fresh = new Set<string>();

  constructor(
    private readonly id: ContextId,
    private readonly stored: CurrentItems,
    /** Where the newest layer begins; 0 while there is but one. */
    private readonly lineage: number,
  ) {}

  readonly lookup: ItemLookup = (kind, key) => this.#find({ kind, key });

  apply(event: DecodedEvent): void {
    const changes = foldEvent(event, this.lookup);
    const source = sourceOf(event);
    for (const change of changes) {
      const before = this.#find(change);
      this.#end(change, event.version);
      if ('removed' in change) this.#remove(change, event.version);
      else {
        this.#now.set(keyText(change), changedItem(before, change, { event, source }));
        this.#fresh.add(keyText(change));
      }
    }
  }

  added(): ItemRow[] {
    const current = [...this.#fresh].flatMap((text) => {
      const item = this.#now.get(text);
      return item ? [{ ...this.id, ...item, toVersion: null }] : [];
    });
    return [...this.#past, ...this.#gone, ...current];
  }

  #remove({ kind, key }: ItemKey, fromVersion: number): void {
    const text = keyText({ kind, key });
    if (this.lineage > 0 && isContent({ kind }))
      this.#gone.push({ ...this.id, ...{ kind, key, fromVersion }, ...removed });
    this.#now.set(text, undefined);
  }

  /** Rows of older layers stay as they are: they are current there. */
  #isOwn({ kind, fromVersion }: Item): boolean {
    return fromVersion >= (isContent({ kind }) ? this.lineage : 1);
  }

  #find(key: ItemKey): Item | undefined {
    const text = keyText(key);
    return this.#now.has(text) ? this.#now.get(text) : this.stored.find(key);
  }

  #end(key: ItemKey, toVersion: number): void {
    const before = this.#find(key);
    if (!before) return;
    const text = keyText(key);
    if (!this.#fresh.delete(text)) {
      if (!this.#isOwn(before)) return;
      this.ended.push({
        ...this.id,
        kind: key.kind,
        key: key.key,
        fromVersion: before.fromVersion,
        toVersion,
      });
    }
    // An item changed twice by one version keeps only the last: its span would be empty.
    else if (before.fromVersion < toVersion) this.#past.push({ ...this.id, ...before, toVersion });
  }
}

function keyText({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
