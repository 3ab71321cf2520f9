import {
  type Activity,
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  type Item,
  type ItemKey,
  advanceHead,
  authorOf,
  baseOf,
  contextStream,
  foldEventInSteps,
  isSameActivity,
  noActivity,
  touchedKeys,
} from '#shared-context';
import { type Steps, runAtOnce } from '#slices';

import { type ItemRow, ItemSpans } from './item-spans.js';
import { type LineageRow } from './lineage-rows.js';
import { receiptHash } from './receipt-hash.js';

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
    /** The hash of the receipt that the event cites. */
    basedOn: string | null;
    /** Null if it equals the activity at the version before. */
    activity: Activity | null;
  }>;

/** The row changes that a run of events makes in one context. */
export type RowChanges = Readonly<{
  head: ContextHead;
  /** Rows that were current and end at `toVersion`. */
  ended: readonly (ContextId & ItemKey & { fromVersion: number; toVersion: number })[];
  added: readonly ItemRow[];
  versions: readonly VersionRow[];
  agents: readonly string[];
  lineage: LineageRow | undefined;
  /** If `lineage` is set: the work among the items of the base. */
  openWork: readonly Item[];
  /** Approximate bytes of the item rows that end or are added. */
  bytes: number;
}>;

/**
 * The current items of a context, as far as the events need them. If the first event has a base, they are the items
 * that it is folded over, and `activity` and `openWork` come from the base.
 */
export type CurrentItems = Readonly<{
  find(key: ItemKey): Item | undefined;
  activity?: Activity | undefined;
  openWork?: readonly Item[] | undefined;
}>;

/** The keys of every item that the events may read or change. */
export function keysOf(events: readonly DecodedEvent[]): ItemKey[] {
  const keys = new Map<string, ItemKey>();
  for (const key of events.flatMap((event) => touchedKeys(event))) keys.set(keyText(key), key);
  return [...keys.values()];
}

/** Folds events into row changes. The events follow `head` without a gap; only the first may have a base. Pure. */
export function projectEvents(...run: Parameters<typeof projectEventsInSteps>): RowChanges {
  return runAtOnce(projectEventsInSteps(...run));
}

/** {@link projectEvents} as a generator that yields between steps. */
export function* projectEventsInSteps(
  id: ContextId,
  head: ContextHead | undefined,
  current: CurrentItems,
  events: readonly [DecodedEvent, ...DecodedEvent[]],
): Steps<RowChanges> {
  const projection = new ContextProjection({ id, head, current }, events[0]);
  for (const event of events) {
    yield* projection.apply(event);
    yield;
  }
  return projection.changes();
}

/** {@link projectEvents}, event by event, so that the caller can stop when the rows become too large. */
export class ContextProjection {
  readonly #id: ContextId;
  readonly #openWork: readonly Item[];
  readonly #lineage: LineageRow | undefined;
  readonly #items: ItemSpans;
  readonly #versions: VersionRow[] = [];
  readonly #agents = new Set<string>();
  #activity: Activity | undefined;
  #head: ContextHead | undefined;

  /** Applies nothing yet; `first` is the first event to apply, and the only one that may have a base. */
  constructor(
    {
      id,
      head,
      current,
    }: Readonly<{ id: ContextId; head: ContextHead | undefined; current: CurrentItems }>,
    first: DecodedEvent,
  ) {
    this.#id = id;
    this.#openWork = current.openWork ?? [];
    this.#lineage = lineageOf(id, first);
    this.#items = new ItemSpans(id, current, this.#lineage?.fromVersion ?? head?.lineage ?? 0);
    this.#activity = current.activity;
    this.#head = head;
  }

  /** Bytes of the item rows to write so far. */
  get bytes(): number {
    return this.#items.bytes;
  }

  *apply(event: DecodedEvent): Steps<void> {
    const before = this.#head;
    requireNext(this.#id, before, event);
    const { lookup } = this.#items;
    const changes = yield* foldEventInSteps(event, lookup);
    const advanced = advanceHead(this.#id, before, event, { lookup, changes });
    yield* this.#items.apply(event, changes);
    const activity = this.#activity ?? advanced.activity;
    // Only the first event can have a base from which the activity is taken.
    this.#activity = undefined;
    this.#head = { ...advanced, activity };
    this.#versions.push(versionRow(event, this.#head, before?.activity));
    this.#agents.add(authorOf(event));
  }

  /** The changes of the applied events. Throws if no event was applied. */
  changes(): RowChanges {
    if (!this.#head) throw new Error('no event was applied');
    return {
      head: this.#head,
      ended: this.#items.ended,
      added: this.#items.added(),
      versions: this.#versions,
      agents: [...this.#agents],
      lineage: this.#lineage,
      openWork: this.#openWork,
      bytes: this.bytes,
    };
  }
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

function keyText({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
