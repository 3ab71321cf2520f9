import { type Kysely, type Transaction } from 'kysely';

import { type Database } from '#database';
import { type EventStore, type StoredEvent } from '#event-sourcing';
import {
  type ContextId,
  type DecodedEvent,
  type ItemKey,
  baseOf,
  contextStream,
  decodeEvent,
  searchedKinds,
} from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { ContextReader } from '../contexts/context-reader.js';
import { findHeads } from '../contexts/head-rows.js';
import { encodeKey } from '../contexts/item-rows.js';
import { keysOf } from '../contexts/project-events.js';
import { liveTables } from '../tables.js';
import { type ItemChanges, findChanges } from './changed-items.js';
import {
  type SearchProgress,
  lockProgress,
  updateProgress,
  removeProgress,
} from './search-progress.js';
import {
  type IndexedItem,
  addVisibleItem,
  endVisibleItem,
  findVisibleItems,
  removeVisibleItems,
} from './search-rows.js';

export type SearchScope = Readonly<{ db: Kysely<Database>; store: EventStore }>;
type Limits = Readonly<{ events: number; bytes: number }>;
type IndexScope = Readonly<{
  trx: Transaction<Database>;
  store: EventStore;
  id: ContextId;
  signal: AbortSignal | undefined;
}>;

/** `busy`: another process has locked the context; `more`: some events are left; `done`: none is left. */
export type IndexOutcome = 'busy' | 'more' | 'done';

const page = 32;
/** Maximum size of several events that are indexed together; they may set thousands of members. */
const maxGroupBytes = 128 * 1_024;
/** Maximum events in one transaction if the search rows of the context are incomplete but current. */
const someEvents: Limits = { events: 512, bytes: 8 * 1_048_576 };
const allEvents: Limits = { events: Infinity, bytes: Infinity };

const kinds: ReadonlySet<string> = new Set(searchedKinds);

/**
 * Indexes the next events of a context, as far as they are projected. Rows and progress change in one transaction, so
 * that any later attempt resumes there. The rows depend on the history alone, not on the steps in which they were
 * written. Throws the signal's reason if it aborts; nothing is written then.
 */
export async function indexContext(
  { db, store }: SearchScope,
  id: ContextId,
  signal?: AbortSignal,
): Promise<IndexOutcome> {
  return db.transaction().execute(async (trx) => {
    const [progress] = await lockProgress(trx, [id]);
    return progress ? resume({ trx, store, id, signal }, progress) : 'busy';
  });
}

async function resume(
  scope: IndexScope,
  { version, current }: SearchProgress,
): Promise<IndexOutcome> {
  const { trx, id } = scope;
  const [head] = await findHeads(trx, liveTables, [id]);
  if (head && current && version <= head.version)
    return advance(scope, { after: version, to: head.version }, someEvents);
  await removeVisibleItems(trx, id);
  if (head) {
    // All events in one transaction: searches use the previous rows until it commits.
    return advance(scope, { after: 0, to: head.version }, allEvents);
  }
  await removeProgress(trx, id);
  return 'done';
}

/** Indexes events after `after`, up to `to`: at least one, and as many as `limits` allows. */
async function advance(
  scope: IndexScope,
  { after, to }: Readonly<{ after: number; to: number }>,
  limits: Limits,
): Promise<IndexOutcome> {
  let [at, bytes] = [after, 0];
  for await (const group of readGroups(scope, after, to)) {
    await indexGroup(scope, at, group);
    at += group.length;
    bytes += group.reduce((sum, event) => sum + event.bytes, 0);
    if (at - after >= limits.events || bytes >= limits.bytes) break;
    scope.signal?.throwIfAborted();
  }
  await updateProgress(scope.trx, [{ ...scope.id, version: at }]);
  return at < to ? 'more' : 'done';
}

type EventGroup = readonly [DecodedEvent, ...DecodedEvent[]];

/**
 * The events after `after`, up to `to`, in groups: a single restore or fork, or several other events up to {@link
 * maxGroupBytes}.
 */
async function* readGroups(
  { store, id, signal }: IndexScope,
  after: number,
  to: number,
): AsyncGenerator<EventGroup> {
  let at = after;
  while (at < to) {
    signal?.throwIfAborted();
    const limit = Math.min(page, to - at);
    const stored = await store.readStream(contextStream(id), { from: at + 1, limit });
    if (stored.length === 0)
      throw new Error(`${contextStream(id)}: the log has no version ${at + 1}`);
    at += stored.length;
    yield* await runInSlices(groupsIn(id, stored));
  }
}

function* groupsIn(id: ContextId, stored: readonly StoredEvent[]): Steps<EventGroup[]> {
  const groups: EventGroup[] = [];
  let open: { events: [DecodedEvent, ...DecodedEvent[]]; bytes: number } | undefined;
  for (const each of stored) {
    const event = decodeEvent(each);
    yield;
    const isAlone = baseOf(id.contextId, event) !== undefined;
    if (open && !isAlone && open.bytes + event.bytes <= maxGroupBytes) {
      open.events.push(event);
      open.bytes += event.bytes;
      continue;
    }
    const events: [DecodedEvent, ...DecodedEvent[]] = [event];
    groups.push(events);
    open = isAlone ? undefined : { events, bytes: event.bytes };
  }
  return groups;
}

async function indexGroup(scope: IndexScope, after: number, events: EventGroup): Promise<void> {
  const { trx, id } = scope;
  if (baseOf(id.contextId, events[0])) return rebase(scope, events[0].version);
  const keys = searchedKeys(events);
  if (keys.length === 0) return;
  const range = { ...id, keys, after, to: after + events.length };
  await writeChanges(trx, [range], await findChanges(trx, [range]));
}

/** The items of searched kinds that the events touch. */
export function searchedKeys(events: readonly DecodedEvent[]): readonly ItemKey[] {
  return keysOf(events).filter(({ kind }) => kinds.has(kind));
}

/** Writes the changes of each range to the search rows; skips ranges without changes. */
export async function writeChanges(
  trx: Transaction<Database>,
  ranges: readonly ContextId[],
  changes: readonly (ItemChanges | undefined)[],
): Promise<void> {
  const rowsOf = <Row>(ownRows: (of: ItemChanges) => readonly Row[]) =>
    ranges.flatMap(({ workspace, contextId }, nth) => {
      const own = changes[nth];
      return own ? ownRows(own).map((row) => ({ workspace, contextId, ...row })) : [];
    });
  await endVisibleItem(
    trx,
    rowsOf(({ ended }) => ended),
  );
  await addVisibleItem(
    trx,
    rowsOf(({ added }) => added),
  );
}

/** Replaces the search rows that differ between a version with a base and the version before. */
async function rebase({ trx, store, id }: IndexScope, version: number): Promise<void> {
  const reader = new ContextReader(trx, store, liveTables);
  const { state } = await reader.readAt(id, version, { kinds: searchedKinds });
  const visible = await findVisibleItems(trx, id);
  const before = new Set(visible.map((row) => textOf(row.kind, row.key, row.item_version)));
  const added: IndexedItem[] = [];
  const retained = new Set<string>();
  for (const item of state.values()) {
    const text = textOf(item.kind, encodeKey(item.key), item.fromVersion);
    retained.add(text);
    if (!before.has(text)) added.push({ item, fromVersion: version, toVersion: null });
  }
  const ended = visible
    .filter((row) => !retained.has(textOf(row.kind, row.key, row.item_version)))
    .map(({ kind, key }) => ({ ...id, kind, key, toVersion: version }));
  await endVisibleItem(trx, ended);
  await addVisibleItem(
    trx,
    added.map((item) => ({ ...id, ...item })),
  );
}

function textOf(kind: string, key: string, version: number): string {
  return `${version} ${kind} ${key}`;
}
