import { type Transaction } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import {
  type Base,
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  activityKinds,
  activityOf,
  activityOnBase,
  baseOf,
  copiedKeys,
  rebase,
} from '#shared-context';
import { runInSlices } from '#slices';

import { findActivityAt } from '../contexts/activity-at.queries.js';
import { ContextReader } from '../contexts/context-reader.js';
import {
  type RowChanges,
  type CurrentItems,
  keysOf,
  projectEventsInSteps,
} from '../contexts/project-events.js';
import { workKinds } from '../open-work/open-work.js';
import { type ReadModelTables } from '../tables.js';
import { writeChanges } from './context-rows.js';
import { isTransient } from './transient-failure.js';

type Site = Readonly<{ tables: ReadModelTables; store: EventStore }>;
type Reading = Readonly<{
  trx: Transaction<Database>;
  tables: ReadModelTables;
  reader: ContextReader;
}>;
type Events = readonly [DecodedEvent, ...DecodedEvent[]];

/** What went wrong at which event; what came before it is applied. */
type LayeredFailure = Readonly<{ event: DecodedEvent; error: unknown }>;

/** So many events are applied, in rows of so many bytes; the next one failed, or has to wait. */
type LayeredResult = Readonly<{
  applied: number;
  bytes: number;
  failure?: LayeredFailure;
}>;

/** Events whose items are read at once: these may have 8 MiB each. */
const maxTogether = 8;

/** Whether events of a context are applied by {@link projectLayered}: it has a base, or gets one. */
export function isLayered(head: ContextHead | undefined, events: readonly DecodedEvent[]): boolean {
  return (head?.lineage ?? null) !== null || events.some((event) => baseOf('', event));
}

/**
 * Applies events of one context that stands on other versions, its own or another context's. These are read as anyone
 * reads them, so that they need not be projected yet: in which order contexts are projected changes no row. Stops when
 * the rows come to `most` bytes.
 */
export async function projectLayered(
  trx: Transaction<Database>,
  { tables, store }: Site,
  id: ContextId,
  run: Readonly<{ head: ContextHead | undefined; events: readonly DecodedEvent[]; most: number }>,
): Promise<LayeredResult> {
  const reading = { trx, tables, reader: new ContextReader(trx, store, tables) };
  let { head } = run;
  let [applied, bytes] = [0, 0];
  for (const events of stretches(run.events)) {
    if (bytes >= run.most) break;
    const folded = await foldStretch(reading, id, head, events);
    if ('failure' in folded) return { applied, bytes, failure: folded.failure };
    // A context that could not be written must not be parked: some of its rows may be there.
    await writeChanges(trx, tables, [folded]);
    head = folded.head;
    applied += events.length;
    bytes += folded.bytes;
  }
  return { applied, bytes };
}

async function foldStretch(
  reading: Reading,
  id: ContextId,
  head: ContextHead | undefined,
  events: Events,
): Promise<RowChanges | Readonly<{ failure: LayeredFailure }>> {
  try {
    const under = await itemsUnder(reading, id, head, events);
    return await runInSlices(projectEventsInSteps(id, head, under, events));
  } catch (error) {
    if (!isFault(error)) throw error;
    return { failure: { event: events[0], error } };
  }
}

/** Runs of a few events that go on from one another: each event with a base begins one. */
function stretches(events: readonly DecodedEvent[]): Events[] {
  const all: [DecodedEvent, ...DecodedEvent[]][] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (!last || last.length === maxTogether || baseOf('', event)) all.push([event]);
    else last.push(event);
  }
  return all;
}

async function itemsUnder(
  { trx, tables, reader }: Reading,
  id: ContextId,
  head: ContextHead | undefined,
  events: Events,
): Promise<CurrentItems> {
  const keys = keysOf(events);
  const now = head
    ? (await reader.readAt(id, head.version, { keys, bodies: true })).state
    : undefined;
  const base = baseOf(id.contextId, events[0]);
  if (!base) return { find: ({ kind, key }) => now?.get(kind, key) };
  const at = { workspace: id.workspace, contextId: base.contextId };
  const wanted = { keys: [...keys, ...copiedKeys], bodies: true };
  const { state } = await reader.readAt(at, base.version, wanted);
  const under = rebase(base, now?.values() ?? [], state.values());
  const atBase =
    (await findActivityAt(trx, at, base.version, tables)) ?? (await activityAt(reader, at, base));
  const activity = activityOnBase(base, head?.activity, atBase);
  const work = await reader.readAt(at, base.version, { kinds: workKinds });
  const openWork = [...rebase(base, [], work.state.values()).values()];
  return { find: ({ kind, key }) => under.get(kind, key), activity, openWork };
}

/** From all steps, where the rows have not reached the version. */
async function activityAt(reader: ContextReader, at: ContextId, { version }: Base) {
  const selection = { kinds: activityKinds, bodies: 'none' } as const;
  const { head, state } = await reader.readAt(at, version, selection);
  return activityOf([...state.values()], head?.activity.counted);
}

/** The event or this code is at fault; every other failure of storage has a code. */
function isFault(error: unknown): boolean {
  return error instanceof Error && !('code' in error) && !isTransient(error);
}
