import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type CallOptions } from '#event-sourcing';
import { type ContextId, type DecodedEvent, type ItemKey, type ItemKind } from '#shared-context';

import { liveTables } from '../tables.js';
import { type ContextReader } from './context-reader.js';
import { encodeKey } from './item-rows.js';

type Source = Readonly<{ db: Kysely<Database>; reader: ContextReader }>;

/** Versions that are at most this far apart are read in one range, with the events between them. */
const nearby = 32;

/** Items whose events are requested: all items of some kinds, or the named items. */
export type TracedItems =
  | Readonly<{ kinds: readonly ItemKind[] }>
  | Readonly<{ keys: readonly ItemKey[] }>;

/**
 * The events up to a version that changed these items, oldest first, and possibly some events between them, so that a
 * caller need not read the whole stream. Undefined for a fork or a restored context, whose items stem from events that
 * its own stream does not hold.
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
  const ranges = [...rangesOf(row.changed), { from: row.version + 1, to: until }];
  const events: DecodedEvent[] = [];
  for (const { from, to } of ranges)
    if (from <= to)
      for (const event of await readRange(reader, id, { from, to }, options)) events.push(event);
  return events;
}

/**
 * A subquery next to the row `c` of a context: the versions at which the items got their values. One index lookup per
 * key.
 */
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

type VersionRange = Readonly<{ from: number; to: number }>;

function rangesOf(versions: readonly number[]): readonly VersionRange[] {
  const ranges: { from: number; to: number }[] = [];
  for (const version of versions) {
    const last = ranges.at(-1);
    if (last && version - last.to <= nearby) last.to = version;
    else ranges.push({ from: version, to: version });
  }
  return ranges;
}

async function readRange(
  reader: ContextReader,
  id: ContextId,
  { from, to }: VersionRange,
  options?: CallOptions,
): Promise<readonly DecodedEvent[]> {
  const events: DecodedEvent[] = [];
  const range = { after: from - 1, until: to };
  for await (const event of reader.tail(id, range, options)) events.push(event);
  return events;
}
