import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type CallOptions } from '#event-sourcing';
import { type ContextId, type DecodedEvent, type ItemKey, type ItemKind } from '#shared-context';

import { liveTables } from '../tables.js';
import { type ContextReader } from './context-reader.js';
import { encodeKey } from './item-rows.js';

type Source = Readonly<{ db: Kysely<Database>; reader: ContextReader }>;

/** Versions nearer to each other are read together, with what lies between them. */
const nearby = 32;

/** Items of which the events are asked: all of some kinds, or those named. */
export type TracedItems =
  | Readonly<{ kinds: readonly ItemKind[] }>
  | Readonly<{ keys: readonly ItemKey[] }>;

/**
 * The events up to a version that have changed these items, oldest first, and others between them: what the items are
 * made of without all that has happened beside. Undefined for a context that stands on other versions, whose items
 * tell of events that are not its own.
 */
export async function findEventsOfItems(
  { db, reader }: Source,
  id: ContextId,
  { items, until }: Readonly<{ items: TracedItems; until: number }>,
  options?: CallOptions,
): Promise<readonly DecodedEvent[] | undefined> {
  const { rows } = await sql<{ version: number; lineage: number | null; changed: number[] }>`
    select c.version, c.lineage, coalesce((
      select array_agg(distinct i.from_version order by i.from_version) from (${rowsOf(items)}) i
      where i.from_version <= ${until}), '{}') as changed
    from ${liveTables.contexts} c
    where c.workspace = ${id.workspace} and c.context_id = ${id.contextId}`.execute(db);
  const [row] = rows;
  if (!row || row.version === 0 || row.lineage !== null) return undefined;
  const stretches = [...stretchesOf(row.changed), { from: row.version + 1, to: until }];
  const events: DecodedEvent[] = [];
  for (const { from, to } of stretches)
    if (from <= to)
      for (const event of await readStretch(reader, id, { from, to }, options)) events.push(event);
  return events;
}

/** A subquery beside the row `c` of a context: when its items became what they were. One index lookup a key. */
function rowsOf(items: TracedItems) {
  if ('kinds' in items)
    return sql`
      select i.from_version from ${liveTables.items} i
      where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = any(${items.kinds})`;
  const { keys } = items;
  return sql`
    select found.from_version from unnest(
      ${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ key }) => encodeKey(key))}::text[]) as w(kind, key)
    cross join lateral (
      select i.from_version from ${liveTables.items} i
      where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = w.kind and i.key = w.key
      offset 0) found`;
}

type Stretch = Readonly<{ from: number; to: number }>;

function stretchesOf(versions: readonly number[]): readonly Stretch[] {
  const stretches: { from: number; to: number }[] = [];
  for (const version of versions) {
    const last = stretches.at(-1);
    if (last && version - last.to <= nearby) last.to = version;
    else stretches.push({ from: version, to: version });
  }
  return stretches;
}

async function readStretch(
  reader: ContextReader,
  id: ContextId,
  { from, to }: Stretch,
  options?: CallOptions,
): Promise<readonly DecodedEvent[]> {
  const events: DecodedEvent[] = [];
  const range = { after: from - 1, until: to };
  for await (const event of reader.tail(id, range, options)) events.push(event);
  return events;
}
