import { type Transaction } from 'kysely';

import { type Database } from '#database';
import { type EventStore, type StoredEvent } from '#event-sourcing';
import { type Item, type ItemKey } from '#shared-context';

import { type ReadModelTables } from '../tables.js';
import { type ParkedContext, findParked, park } from './dead-letters.js';
import { isLayered, projectLayered } from './project-layered.js';
import { type RememberedContext, type RowMemory, keyText } from './row-memory.js';
import { writeChanges } from '../contexts/context-rows.js';
import { findHeads } from '../contexts/head-rows.js';
import { findCurrentItems } from '../contexts/item-rows.js';
import { type ContextHead } from '../contexts/context-head.js';
import { type ContextId, contextOfStream } from '../contexts/context-stream.js';
import { type DecodedEvent, decodeEvent } from '../contexts/decode-event.js';
import { type ContextChanges, keysOf, projectEvents } from '../contexts/project-events.js';

/** The rows a batch is applied to: those of `projection`, in these tables; `store` holds what contexts stand on. */
export type ProjectionRows = Readonly<{
  projection: string;
  tables: ReadModelTables;
  store: EventStore;
  /** Of who owns the partitions; without it everything is asked for. */
  memory?: RowMemory;
}>;

type Run = {
  readonly id: ContextId;
  head: ContextHead | undefined;
  events: DecodedEvent[];
  poison: ParkedContext | undefined;
};

/**
 * Applies a batch in one transaction. Events the rows already hold are passed over, so redelivery is harmless.
 * `retried` is a context that is parked and to be tried again.
 */
export async function projectBatch(
  trx: Transaction<Database>,
  rows: ProjectionRows,
  batch: readonly StoredEvent[],
  retried?: ContextId,
): Promise<readonly ParkedContext[]> {
  const { projection, memory } = rows;
  const live = await openRuns(trx, rows, decodeRuns(batch), retried);
  const [layered, plain] = split(live, (run) => isLayered(run.head, run.events));
  await projectPlain(trx, rows, plain);
  // Behind the others, so that what they stand on is mostly there.
  for (const run of layered) {
    memory?.forget(run.id);
    const failure = await projectLayered(trx, rows, run.id, run);
    if (failure) run.poison = poisonOf(run.id, failure.event, failure.error);
  }

  const poisoned = live.flatMap(({ poison }) => (poison ? [poison] : []));
  for (const context of poisoned) memory?.forget(context);
  if (poisoned.length > 0) await park(trx, projection, poisoned);
  return poisoned;
}

/** What is to be applied of each context: not of those that are parked, and no event that its rows hold. */
async function openRuns(
  trx: Transaction<Database>,
  { projection, tables, memory }: ProjectionRows,
  runs: readonly Run[],
  retried: ContextId | undefined,
): Promise<Run[]> {
  const ids = runs.map(({ id }) => id);
  const parked = new Set((await findParked(trx, projection, ids)).map(idText));
  if (retried) parked.delete(idText(retried));
  const [waiting, live] = split(runs, ({ id }) => parked.has(idText(id)));
  for (const { id } of waiting) memory?.forget(id);
  const heads = await headsOf(trx, tables, live, memory);
  for (const run of live) {
    const head = projected(heads.get(idText(run.id)));
    run.head = head;
    run.events = run.events.filter(({ version }) => version > (head?.version ?? 0));
  }
  return live;
}

async function headsOf(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  runs: readonly Run[],
  memory: RowMemory | undefined,
): Promise<Map<string, ContextHead>> {
  const known = runs.flatMap(({ id }) => memory?.find(id)?.head ?? []);
  const there = new Set(known.map(idText));
  const unknown = runs.map(({ id }) => id).filter((id) => !there.has(idText(id)));
  const found = unknown.length > 0 ? await findHeads(trx, tables, unknown) : [];
  return new Map([...known, ...found].map((head) => [idText(head), head]));
}

async function projectPlain(
  trx: Transaction<Database>,
  { tables, memory }: ProjectionRows,
  runs: readonly Run[],
): Promise<void> {
  const current = await loadCurrent(trx, tables, runs, memory);
  const all: ContextChanges[] = [];
  for (const run of runs) {
    const loaded = current.get(idText(run.id)) ?? new Map<string, Item | undefined>();
    const known = memory?.find(run.id);
    const changes = project(run, loaded, known);
    if (!changes) continue;
    const bytes = run.events.reduce((sum, event) => sum + event.bytes, 0);
    memory?.learn({ id: run.id, loaded, changes, bytes });
    all.push(known ? withoutKnownAgents(changes, known) : changes);
  }
  if (all.length > 0) await writeChanges(trx, tables, all);
}

function withoutKnownAgents(
  changes: ContextChanges,
  { agents }: RememberedContext,
): ContextChanges {
  return { ...changes, agents: changes.agents.filter((agent) => !agents.has(agent)) };
}

/** A context that is only registered has no rows yet. */
function projected(head: ContextHead | undefined): ContextHead | undefined {
  return head?.version ? head : undefined;
}

function split<Each>(all: readonly Each[], first: (each: Each) => boolean): [Each[], Each[]] {
  return [all.filter(first), all.filter((each) => !first(each))];
}

function decodeRuns(batch: readonly StoredEvent[]): Run[] {
  const runs = new Map<string, Run>();
  for (const stored of batch) {
    const id = contextOfStream(stored.stream);
    if (!id) continue;
    const fresh = { id, head: undefined, events: [], poison: undefined };
    const run = runs.get(idText(id)) ?? fresh;
    runs.set(idText(id), run);
    if (run.poison) continue;
    try {
      run.events.push(decodeEvent(stored));
    } catch (error) {
      run.poison = poisonOf(id, stored, error);
    }
  }
  return [...runs.values()];
}

function project(
  run: Run,
  loaded: ReadonlyMap<string, Item | undefined>,
  known: RememberedContext | undefined,
): ContextChanges | undefined {
  const [first, ...rest] = run.events;
  if (!first) return undefined;
  const find = (key: ItemKey) => known?.items.get(keyText(key)) ?? loaded.get(keyText(key));
  try {
    return projectEvents(run.id, run.head, { find }, [first, ...rest]);
  } catch (error) {
    run.poison = poisonOf(run.id, first, error);
    return undefined;
  }
}

/** The items that the events touch and memory does not know, by context; `undefined` for those that are not there. */
async function loadCurrent(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  runs: readonly Run[],
  memory: RowMemory | undefined,
): Promise<Map<string, Map<string, Item | undefined>>> {
  const byContext = new Map<string, Map<string, Item | undefined>>();
  const wanted: (ContextId & ItemKey)[] = [];
  for (const { id, head, events } of runs) {
    const known = memory?.find(id);
    const missing = keysOf(events).filter((key) => !known?.items.has(keyText(key)));
    byContext.set(idText(id), new Map(missing.map((key) => [keyText(key), undefined])));
    // Nothing is there of a context without rows.
    if (head) for (const key of missing) wanted.push({ ...id, ...key });
  }
  if (wanted.length === 0) return byContext;
  for (const { workspace, contextId, ...item } of await findCurrentItems(trx, tables, wanted))
    byContext.get(idText({ workspace, contextId }))?.set(keyText(item), item);
  return byContext;
}

export function poisonOf(
  id: ContextId,
  event: Readonly<{ version: number; position: string; eventId: string; type: string }>,
  error: unknown,
): ParkedContext {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // PostgreSQL text holds no NUL, and the message may quote user data.
  return {
    ...id,
    version: event.version,
    position: event.position,
    eventId: event.eventId,
    type: event.type,
    error: text.replaceAll('\0', '�').toWellFormed().slice(0, 2000),
  };
}

function idText({ workspace, contextId }: ContextId): string {
  return `${workspace}:${contextId}`;
}
