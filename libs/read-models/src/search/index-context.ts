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
  movePlaces,
  removeProgress,
} from './search-progress.js';
import {
  type ShownItem,
  addVisibleItem,
  endVisibleItem,
  findVisibleItems,
  removeVisibleItems,
} from './search-rows.js';

export type SearchScope = Readonly<{ db: Kysely<Database>; store: EventStore }>;
type Portion = Readonly<{ events: number; bytes: number }>;
type Writing = Readonly<{
  trx: Transaction<Database>;
  store: EventStore;
  id: ContextId;
  signal: AbortSignal | undefined;
}>;

/** What became of a context: another process has it (`busy`), some of its events are left (`more`), or none. */
export type IndexOutcome = 'busy' | 'more' | 'done';

const page = 32;
/** Maximum size of several events that are indexed together: they may set some thousand members. */
const maxStretchBytes = 128 * 1_024;
/** What one transaction takes in of a context that goes on from where its rows are. */
const someEvents: Portion = { events: 512, bytes: 8 * 1_048_576 };
const allEvents: Portion = { events: Infinity, bytes: Infinity };

const kinds: ReadonlySet<string> = new Set(searchedKinds);

/**
 * Brings the search rows of a context nearer to what the read model holds of it. In one transaction with their place, so
 * that another process or another try goes on from there. The rows follow from the history alone: in which steps they
 * were made does not show. Throws the signal's reason, with nothing written.
 */
export async function indexContext(
  { db, store }: SearchScope,
  id: ContextId,
  signal?: AbortSignal,
): Promise<IndexOutcome> {
  return db.transaction().execute(async (trx) => {
    const [place] = await lockProgress(trx, [id]);
    return place ? goOn({ trx, store, id, signal }, place) : 'busy';
  });
}

async function goOn(writing: Writing, { version, current }: SearchProgress): Promise<IndexOutcome> {
  const { trx, id } = writing;
  const [head] = await findHeads(trx, liveTables, [id]);
  if (head && current && version <= head.version)
    return advance(writing, { after: version, to: head.version }, someEvents);
  await removeVisibleItems(trx, id);
  if (head) {
    // All events in one transaction: searches use the previous rows until it commits.
    return advance(writing, { after: 0, to: head.version }, allEvents);
  }
  await removeProgress(trx, id);
  return 'done';
}

/** Takes in some of the events behind `after` up to `to`: one at least, and as many as the portion has room for. */
async function advance(
  writing: Writing,
  { after, to }: Readonly<{ after: number; to: number }>,
  portion: Portion,
): Promise<IndexOutcome> {
  let [at, bytes] = [after, 0];
  for await (const stretch of stretchesOf(writing, after, to)) {
    await takeIn(writing, at, stretch);
    at += stretch.length;
    bytes += stretch.reduce((sum, event) => sum + event.bytes, 0);
    if (at - after >= portion.events || bytes >= portion.bytes) break;
    writing.signal?.throwIfAborted();
  }
  await movePlaces(writing.trx, [{ ...writing.id, version: at }]);
  return at < to ? 'more' : 'done';
}

type Stretch = readonly [DecodedEvent, ...DecodedEvent[]];

/** The events after `after` up to `to`, in runs: a single restore or fork, or several other events up to {@link maxStretchBytes}. */
async function* stretchesOf(
  { store, id, signal }: Writing,
  after: number,
  to: number,
): AsyncGenerator<Stretch> {
  let at = after;
  while (at < to) {
    signal?.throwIfAborted();
    const limit = Math.min(page, to - at);
    const stored = await store.readStream(contextStream(id), { from: at + 1, limit });
    if (stored.length === 0)
      throw new Error(`${contextStream(id)}: the log has no version ${at + 1}`);
    at += stored.length;
    yield* await runInSlices(stretchesIn(id, stored));
  }
}

function* stretchesIn(id: ContextId, stored: readonly StoredEvent[]): Steps<Stretch[]> {
  const stretches: Stretch[] = [];
  let open: { events: [DecodedEvent, ...DecodedEvent[]]; bytes: number } | undefined;
  for (const each of stored) {
    const event = decodeEvent(each);
    yield;
    const isAlone = baseOf(id.contextId, event) !== undefined;
    if (open && !isAlone && open.bytes + event.bytes <= maxStretchBytes) {
      open.events.push(event);
      open.bytes += event.bytes;
      continue;
    }
    const events: [DecodedEvent, ...DecodedEvent[]] = [event];
    stretches.push(events);
    open = isAlone ? undefined : { events, bytes: event.bytes };
  }
  return stretches;
}

async function takeIn(writing: Writing, after: number, events: Stretch): Promise<void> {
  const { trx, id } = writing;
  if (baseOf(id.contextId, events[0])) return rebase(writing, events[0].version);
  const keys = searchedKeys(events);
  if (keys.length === 0) return;
  const stretch = { ...id, keys, after, to: after + events.length };
  await writeChanges(trx, [stretch], await findChanges(trx, [stretch]));
}

/** The items of searched kinds that the events touch. */
export function searchedKeys(events: readonly DecodedEvent[]): readonly ItemKey[] {
  return keysOf(events).filter(({ kind }) => kinds.has(kind));
}

/** Writes what each stretch did to the search rows; nothing for a stretch without changes. */
export async function writeChanges(
  trx: Transaction<Database>,
  stretches: readonly ContextId[],
  changes: readonly (ItemChanges | undefined)[],
): Promise<void> {
  const rowsOf = <Row>(ownRows: (of: ItemChanges) => readonly Row[]) =>
    stretches.flatMap(({ workspace, contextId }, nth) => {
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

/** What the context holds at a version that has a base, where it differs from what it held before. */
async function rebase({ trx, store, id }: Writing, version: number): Promise<void> {
  const reader = new ContextReader(trx, store, liveTables);
  const { state } = await reader.readAt(id, version, { kinds: searchedKinds });
  const shown = await findVisibleItems(trx, id);
  const before = new Set(shown.map((row) => textOf(row.kind, row.key, row.item_version)));
  const added: ShownItem[] = [];
  const kept = new Set<string>();
  for (const item of state.values()) {
    const text = textOf(item.kind, encodeKey(item.key), item.fromVersion);
    kept.add(text);
    if (!before.has(text)) added.push({ item, fromVersion: version, toVersion: null });
  }
  const ended = shown
    .filter((row) => !kept.has(textOf(row.kind, row.key, row.item_version)))
    .map(({ kind, key }) => ({ ...id, kind, key, toVersion: version }));
  await endVisibleItem(trx, ended);
  await addVisibleItem(
    trx,
    added.map((shown) => ({ ...id, ...shown })),
  );
}

function textOf(kind: string, key: string, version: number): string {
  return `${version} ${kind} ${key}`;
}
