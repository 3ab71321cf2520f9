import { type Transaction, sql } from 'kysely';

import { type Database } from '#database';
import { type StoredEvent } from '#event-sourcing';
import { type Item, type ItemKey } from '#shared-context';

import { liveTables } from '../tables.js';
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

/** An event that could not be applied: its context waits in this projection, others go on. */
export type ParkedContext = ContextId &
  Readonly<{ version: number; position: string; error: string }>;

type Run = { id: ContextId; events: DecodedEvent[]; poison: ParkedContext | undefined };

/** Applies a batch in one transaction. Events the rows already hold are passed over, so redelivery is harmless. */
export async function projectBatch(
  trx: Transaction<Database>,
  projection: string,
  batch: readonly StoredEvent[],
): Promise<readonly ParkedContext[]> {
  const runs = decodeRuns(batch);
  const parked = await findParked(trx, projection, [...runs.values()]);
  const heads = new Map(
    (
      await findHeads(
        trx,
        liveTables,
        [...runs.values()].map(({ id }) => id),
      )
    ).map((head) => [idText(head), head]),
  );
  const live = [...runs].filter(([text]) => !parked.has(text)).map(([, run]) => run);
  for (const run of live)
    run.events = run.events.filter(
      ({ version }) => version > (heads.get(idText(run.id))?.version ?? 0),
    );

  const current = await loadCurrent(trx, live);
  const changes: ContextChanges[] = [];
  for (const run of live) {
    const change = project(run, heads.get(idText(run.id)), current);
    if (change) changes.push(change);
  }
  if (changes.length > 0) await writeChanges(trx, liveTables, changes);

  const poisoned = live.flatMap(({ poison }) => (poison ? [poison] : []));
  if (poisoned.length > 0) await park(trx, projection, poisoned);
  return poisoned;
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
    return projectEvents(run.id, head?.version ? head : undefined, find, [first, ...rest]);
  } catch (error) {
    run.poison = poisonOf(run.id, first, error);
    return undefined;
  }
}

async function loadCurrent(
  trx: Transaction<Database>,
  runs: readonly Run[],
): Promise<Map<string, Map<string, Item>>> {
  const wanted = runs.flatMap(({ id, events }) =>
    keysOf(events).map((key): ContextId & ItemKey => ({ ...id, ...key })),
  );
  const byContext = new Map<string, Map<string, Item>>();
  for (const { workspace, contextId, ...item } of await findCurrentItems(trx, liveTables, wanted)) {
    const text = idText({ workspace, contextId });
    const items = byContext.get(text) ?? new Map<string, Item>();
    byContext.set(text, items.set(`${item.kind} ${item.key}`, item));
  }
  return byContext;
}

async function findParked(
  trx: Transaction<Database>,
  projection: string,
  runs: readonly Run[],
): Promise<Set<string>> {
  const { rows } = await sql<{ workspace: string; context_id: string }>`
    select workspace, context_id from throughline.projection_parked
    where projection = ${projection} and (workspace, context_id) in (
      select * from unnest(${runs.map(({ id }) => id.workspace)}::text[], ${runs.map(({ id }) => id.contextId)}::text[]))`.execute(
    trx,
  );
  return new Set(
    rows.map((row) => idText({ workspace: row.workspace, contextId: row.context_id })),
  );
}

async function park(
  trx: Transaction<Database>,
  projection: string,
  parked: readonly ParkedContext[],
): Promise<void> {
  for (const { workspace, contextId, version, position, error } of parked)
    await sql`
      insert into throughline.projection_parked (projection, workspace, context_id, version, position, error)
      values (${projection}, ${workspace}, ${contextId}, ${version}, ${position}, ${error})
      on conflict do nothing`.execute(trx);
}

function poisonOf(
  id: ContextId,
  event: Readonly<{ version: number; position: string }>,
  error: unknown,
): ParkedContext {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // PostgreSQL text holds no NUL, and the message may quote user data.
  return {
    ...id,
    version: event.version,
    position: event.position,
    error: text.replaceAll('\0', '�').toWellFormed().slice(0, 2000),
  };
}

function idText({ workspace, contextId }: ContextId): string {
  return `${workspace}:${contextId}`;
}
