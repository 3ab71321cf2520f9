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

type LayeredScope = Readonly<{ tables: ReadModelTables; store: EventStore }>;
type FoldScope = Readonly<{
  trx: Transaction<Database>;
  tables: ReadModelTables;
  reader: ContextReader;
}>;
type Events = readonly [DecodedEvent, ...DecodedEvent[]];

/** The error and the event at which it occurred; earlier events are applied. */
type LayeredFailure = Readonly<{ event: DecodedEvent; error: unknown }>;

/** The number of events applied and the bytes of their rows; `failure` is set if the next event failed. */
type LayeredResult = Readonly<{
  applied: number;
  bytes: number;
  failure?: LayeredFailure;
}>;

/** The maximum number of events whose items are read together: those of one event may have 8 MiB. */
const maxGroup = 8;

/** Whether {@link projectLayered} must apply the events of a context: it has a base, or one of the events sets one. */
export function isLayered(head: ContextHead | undefined, events: readonly DecodedEvent[]): boolean {
  return (head?.lineage ?? null) !== null || events.some((event) => baseOf('', event));
}

/**
 * Applies events of one context with a base, which is a version of the same or of another context. The base is read
 * through {@link ContextReader}, so that it need not be projected yet: the order in which contexts are projected
 * changes no row. Stops when the rows reach `maxBytes`.
 */
export async function projectLayered(
  trx: Transaction<Database>,
  { tables, store }: LayeredScope,
  id: ContextId,
  run: Readonly<{
    head: ContextHead | undefined;
    events: readonly DecodedEvent[];
    maxBytes: number;
  }>,
): Promise<LayeredResult> {
  const scope = { trx, tables, reader: new ContextReader(trx, store, tables) };
  let { head } = run;
  let [applied, bytes] = [0, 0];
  for (const events of groupsOf(run.events)) {
    if (bytes >= run.maxBytes) break;
    const folded = await foldGroup(scope, id, head, events);
    if ('failure' in folded) return { applied, bytes, failure: folded.failure };
    // Outside of the error handling: a context whose rows could not be written must not be quarantined, since some of
    // its rows may exist.
    await writeChanges(trx, tables, [folded]);
    head = folded.head;
    applied += events.length;
    bytes += folded.bytes;
  }
  return { applied, bytes };
}

async function foldGroup(
  scope: FoldScope,
  id: ContextId,
  head: ContextHead | undefined,
  events: Events,
): Promise<RowChanges | Readonly<{ failure: LayeredFailure }>> {
  try {
    const items = await itemsBefore(scope, id, head, events);
    return await runInSlices(projectEventsInSteps(id, head, items, events));
  } catch (error) {
    if (!isFault(error)) throw error;
    return { failure: { event: events[0], error } };
  }
}

/** Runs of a few events; each event with a base begins a new run. */
function groupsOf(events: readonly DecodedEvent[]): Events[] {
  const all: [DecodedEvent, ...DecodedEvent[]][] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (!last || last.length === maxGroup || baseOf('', event)) all.push([event]);
    else last.push(event);
  }
  return all;
}

async function itemsBefore(
  { trx, tables, reader }: FoldScope,
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
  const selection = { keys: [...keys, ...copiedKeys], bodies: true };
  const { state } = await reader.readAt(at, base.version, selection);
  const items = rebase(base, now?.values() ?? [], state.values());
  const atBase =
    (await findActivityAt(trx, at, base.version, tables)) ?? (await activityAt(reader, at, base));
  const activity = activityOnBase(base, head?.activity, atBase);
  const work = await reader.readAt(at, base.version, { kinds: workKinds });
  const openWork = [...rebase(base, [], work.state.values()).values()];
  return { find: ({ kind, key }) => items.get(kind, key), activity, openWork };
}

/** Computes the activity from the items if the rows have not reached the version. */
async function activityAt(reader: ContextReader, at: ContextId, { version }: Base) {
  const selection = { kinds: activityKinds, bodies: 'none' } as const;
  const { head, state } = await reader.readAt(at, version, selection);
  return activityOf([...state.values()], head?.activity.counted);
}

/** Whether the event or this code caused the error; other failures of storage have a code or are transient. */
function isFault(error: unknown): boolean {
  return error instanceof Error && !('code' in error) && !isTransient(error);
}
