import { type Transaction } from 'kysely';

import { type Database } from '#database';
import { type EventStore, type StoredEvent } from '#event-sourcing';
import {
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  contextOfStream,
  decodeEvent,
} from '#shared-context';
import { type Steps, runInSlices } from '#slices';

import { findHeads } from '../contexts/head-rows.js';
import { type ReadModelTables } from '../tables.js';
import { type QuarantinedContext, findQuarantined } from './dead-letters.js';
import { MissingEventsError } from './missing-events.js';

/**
 * The rows that a batch is applied to: those of `projection`, in these tables; the base of a context is read from
 * `store`.
 */
export type ProjectionRows = Readonly<{
  projection: string;
  tables: ReadModelTables;
  store: EventStore;
}>;

/** An event and its index in the batch, from 0. */
export type BatchEvent = Readonly<{ event: DecodedEvent; nth: number }>;

type Poison = Readonly<{ nth: number; context: QuarantinedContext }>;

type DecodedRun = Readonly<{
  id: ContextId;
  events: readonly BatchEvent[];
  poison: Poison | undefined;
}>;

/** Stored events, and the same events decoded and grouped by context. */
export type DecodedBatch = Readonly<{
  events: readonly StoredEvent[];
  runs: readonly DecodedRun[];
}>;

/** The events of one context in a batch. */
export type ContextRun = {
  readonly id: ContextId;
  head: ContextHead | undefined;
  events: readonly BatchEvent[];
  /** Set if the context cannot continue at an event of the batch. */
  poison: Poison | undefined;
};

/** Call it before the transaction that applies the batch: it pauses for other work. */
export async function decodeBatch(events: readonly StoredEvent[]): Promise<DecodedBatch> {
  return { events, runs: await runInSlices(decodeRuns(events)) };
}

/** The events to apply, by context: without quarantined contexts, and without events that the rows already hold. */
export async function openRuns(
  trx: Transaction<Database>,
  { projection, tables }: ProjectionRows,
  batch: DecodedBatch,
  retried: ContextId | undefined,
): Promise<ContextRun[]> {
  const runs = batch.runs.map((run): ContextRun => ({ ...run, head: undefined }));
  const ids = runs.map(({ id }) => id);
  const quarantined = new Set((await findQuarantined(trx, projection, ids)).map(idText));
  if (retried) quarantined.delete(idText(retried));
  const live = runs.filter(({ id }) => !quarantined.has(idText(id)));
  const heads = await headsOf(trx, tables, live);
  for (const run of live) {
    const head = projected(heads.get(idText(run.id)));
    run.head = head;
    run.events = run.events.filter(({ event }) => event.version > (head?.version ?? 0));
    stopAtGap(run);
  }
  return live;
}

/** Ends a run before the first event whose version does not follow the version before it. */
function stopAtGap(run: ContextRun): void {
  let version = run.head?.version ?? 0;
  const at = run.events.findIndex(({ event }) => event.version !== ++version);
  const next = run.events[at];
  if (!next) return;
  const error = new MissingEventsError(version, next.event.version - 1);
  run.events = run.events.slice(0, at);
  run.poison = { nth: next.nth, context: poisonOf(run.id, next.event, error) };
}

async function headsOf(
  trx: Transaction<Database>,
  tables: ReadModelTables,
  runs: readonly ContextRun[],
): Promise<Map<string, ContextHead>> {
  const ids = runs.map(({ id }) => id);
  const found = ids.length > 0 ? await findHeads(trx, tables, ids) : [];
  return new Map(found.map((head) => [idText(head), head]));
}

/** A context that is only registered has no projected rows. */
function projected(head: ContextHead | undefined): ContextHead | undefined {
  return head?.version ? head : undefined;
}

export function split<Each>(
  all: readonly Each[],
  first: (each: Each) => boolean,
): [Each[], Each[]] {
  return [all.filter(first), all.filter((each) => !first(each))];
}

function* decodeRuns(batch: readonly StoredEvent[]): Steps<DecodedRun[]> {
  type Run = { id: ContextId; events: BatchEvent[]; poison: Poison | undefined };
  const runs = new Map<string, Run>();
  for (const [nth, stored] of batch.entries()) {
    const id = contextOfStream(stored.stream);
    if (!id) continue;
    const fresh = { id, events: [], poison: undefined };
    const run = runs.get(idText(id)) ?? fresh;
    runs.set(idText(id), run);
    if (run.poison) continue;
    try {
      run.events.push({ event: decodeEvent(stored), nth });
    } catch (error) {
      run.poison = { nth, context: poisonOf(id, stored, error) };
    }
    yield;
  }
  return [...runs.values()];
}

export function poisonOf(
  id: ContextId,
  event: Readonly<{ version: number; position: string; eventId: string; type: string }>,
  error: unknown,
): QuarantinedContext {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // PostgreSQL text cannot hold NUL, and the message may quote user data.
  return {
    ...id,
    version: event.version,
    position: event.position,
    eventId: event.eventId,
    type: event.type,
    error: text.replaceAll('\0', '�').toWellFormed().slice(0, 2000),
  };
}

export function idText({ workspace, contextId }: ContextId): string {
  return `${workspace}:${contextId}`;
}
