import { type Transaction } from 'kysely';

import { type Database } from '#database';
import { type EventStore, UndecodableEventError } from '#event-sourcing';
import { type Base, activityKinds, activityOf, baseOf, copiedKeys, rebase } from '#shared-context';

import { findActivityAt } from '../contexts/activity-at.queries.js';
import { type ContextHead } from '../contexts/context-head.js';
import { ContextReader } from '../contexts/context-reader.js';
import { writeChanges } from '../contexts/context-rows.js';
import { type ContextId } from '../contexts/context-stream.js';
import { type DecodedEvent } from '../contexts/decode-event.js';
import { type CurrentItems, keysOf, projectEvents } from '../contexts/project-events.js';
import { workKinds } from '../open-work/open-work.js';
import { type ReadModelTables } from '../tables.js';

type Site = Readonly<{ tables: ReadModelTables; store: EventStore }>;
type Reading = Readonly<{
  trx: Transaction<Database>;
  tables: ReadModelTables;
  reader: ContextReader;
}>;
type Events = readonly [DecodedEvent, ...DecodedEvent[]];

/** What went wrong at which event; what came before it is applied. */
export type LayeredFailure = Readonly<{ event: DecodedEvent; error: unknown }>;

/** Whether events of a context are applied by {@link projectLayered}: it has a base, or gets one. */
export function isLayered(head: ContextHead | undefined, events: readonly DecodedEvent[]): boolean {
  return (head?.lineage ?? null) !== null || events.some((event) => baseOf('', event));
}

/**
 * Applies events of one context that stands on other versions, its own or another context's. These are read as anyone
 * reads them, so that they need not be projected yet: in which order contexts are projected changes no row.
 */
export async function projectLayered(
  trx: Transaction<Database>,
  { tables, store }: Site,
  id: ContextId,
  run: Readonly<{ head: ContextHead | undefined; events: readonly DecodedEvent[] }>,
): Promise<LayeredFailure | undefined> {
  const reading = { trx, tables, reader: new ContextReader(trx, store, tables) };
  let { head } = run;
  for (const events of stretches(run.events))
    try {
      const changes = projectEvents(id, head, await itemsUnder(reading, id, head, events), events);
      await writeChanges(trx, tables, [changes]);
      head = changes.head;
    } catch (error) {
      if (!isFault(error)) throw error;
      return { event: events[0], error };
    }
  return undefined;
}

/** Runs of events that go on from one another: each event with a base begins one. */
function stretches(events: readonly DecodedEvent[]): Events[] {
  const all: [DecodedEvent, ...DecodedEvent[]][] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (!last || baseOf('', event)) all.push([event]);
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
  const activity =
    (await findActivityAt(trx, at, base.version, tables)) ?? (await activityAt(reader, at, base));
  const work = await reader.readAt(at, base.version, { kinds: workKinds });
  const standing = [...rebase(base, [], work.state.values()).values()];
  return { find: ({ kind, key }) => under.get(kind, key), activity, standing };
}

/** From all steps, where the rows have not reached the version. */
async function activityAt(reader: ContextReader, at: ContextId, { version }: Base) {
  const { state } = await reader.readAt(at, version, { kinds: activityKinds });
  return activityOf([...state.values()]);
}

/** Ours or the events', rather than the moment's: what storage fails with has a code. */
function isFault(error: unknown): boolean {
  return error instanceof UndecodableEventError || (error instanceof Error && !('code' in error));
}
