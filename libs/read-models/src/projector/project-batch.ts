import { type Transaction } from 'kysely';

import { type Database } from '#database';
import { type EventStore, type StoredEvent } from '#event-sourcing';
import { type Item, type ItemKey } from '#shared-context';

import { type ReadModelTables } from '../tables.js';
import { type ParkedContext, findParked, park } from './dead-letters.js';
import { isLayered, projectLayered } from './project-layered.js';
import { writeChanges } from '../contexts/context-rows.js';
import { findHeads } from '../contexts/head-rows.js';
import { findCurrentItems } from '../contexts/item-rows.js';
import { type ContextHead } from '../contexts/context-head.js';
import { type ContextId, contextOfStream } from '../contexts/context-stream.js';
import { type DecodedEvent, decodeEvent } from '../contexts/decode-event.js';
import {
  type ContextChanges,
  type CurrentItems,
  keysOf,
  projectEvents,
} from '../contexts/project-events.js';

/** The rows a batch is applied to: those of `projection`, in these tables; `store` holds what contexts stand on. */
export type ProjectionRows = Readonly<{
  projection: string;
  tables: ReadModelTables;
  store: EventStore;
}>;

type Run = { id: ContextId; events: DecodedEvent[]; poison: ParkedContext | undefined };

/**
 * Applies a batch in one transaction. Events the rows already hold are passed over, so redelivery is harmless.
 * `retried` is a context that is parked and to be tried again.
 */
export async function projectBatch(
  trx: Transaction<Database>,
  { projection, tables, store }: ProjectionRows,
  batch: readonly StoredEvent[],
  retried?: ContextId,
): Promise<readonly ParkedContext[]> {
  const runs = decodeRuns(batch);
  const ids = [...runs.values()].map(({ id }) => id);
  const parked = new Set((await findParked(trx, projection, ids)).map(idText));
  if (retried) parked.delete(idText(retried));
  const heads = new Map(
    (await findHeads(trx, tables, ids)).map((head) => [idText(head), head] as const),
  );
  const live = [...runs].filter(([text]) => !parked.has(text)).map(([, run]) => run);
  for (const run of live)
    run.events = run.events.filter(
      ({ version }) => version > (heads.get(idText(run.id))?.version ?? 0),
    );

  const headOf = ({ id }: Run) => projected(heads.get(idText(id)));
  const [layered, plain] = split(live, (run) => isLayered(headOf(run), run.events));
  const current = await loadCurrent(trx, tables, plain);
  const changes: ContextChanges[] = [];
  for (const run of plain) {
    const change = project(run, headOf(run), current);
    if (change) changes.push(change);
  }
  if (changes.length > 0) await writeChanges(trx, tables, changes);
  // Behind the others, so that what they stand on is mostly there.
  for (const run of layered) {
    const site = { tables, store };
    const failure = await projectLayered(trx, site, run.id, { ...run, head: headOf(run) });
    if (failure) run.poison = poisonOf(run.id, failure.event, failure.error);
  }

  const poisoned = live.flatMap(({ poison }) => (poison ? [poison] : []));
  if (poisoned.length > 0) await park(trx, projection, poisoned);
  return poisoned;
}

/** A context that is only registered has no rows yet. */
function projected(head: ContextHead | undefined): ContextHead | undefined {
  return head?.version ? head : undefined;
}

function split<Each>(all: readonly Each[], first: (each: Each) => boolean): [Each[], Each[]] {
  return [all.filter(first), all.filter((each) => !first(each))];
}

function decodeRuns(batch: readonly StoredEvent[]): Map<string, Run> {
  const runs = new Map<string, Run>();
  for (const stored of batch) {
    const id = contextOfStream(stored.stream);
    if (!id) continue;
    const run = runs.get(idText(id)) ?? { id, events: [], poison: undefined };
    runs.set(idText(id), run);
    if (run.poison) continue;
    try {
      run.events.push(decodeEvent(stored));
    } catch (error) {
      run.poison = poisonOf(id, stored, error);
    }
  }
  return runs;
}

function project(
  run: Run,
  head: ContextHead | undefined,
  current: Map<string, Map<string, Item>>,
): ContextChanges | undefined {
  const [first, ...rest] = run.events;
  if (!first) return undefined;
  const items = current.get(idText(run.id));
  const find: CurrentItems = { find: ({ kind, key }) => items?.get(`${kind} ${key}`) };
  try {
    return projectEvents(run.id, head, find, [first, ...rest]);
  } catch (error) {
    run.poison = poisonOf(run.id, first, error);
    return undefined;
  }
}

async function loadCurrent(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  runs: readonly Run[],
): Promise<Map<string, Map<string, Item>>> {
  const wanted = runs.flatMap(({ id, events }) =>
    keysOf(events).map((key): ContextId & ItemKey => ({ ...id, ...key })),
  );
  const byContext = new Map<string, Map<string, Item>>();
  for (const { workspace, contextId, ...item } of await findCurrentItems(trx, tables, wanted)) {
    const text = idText({ workspace, contextId });
    const items = byContext.get(text) ?? new Map<string, Item>();
    byContext.set(text, items.set(`${item.kind} ${item.key}`, item));
  }
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
