import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

import { isAlive } from './ownership.js';

/** A partition, with the facts of its projection. */
export type StatusRow = z.output<typeof statusRow>;

const statusRow = z.object({
  projection: z.string(),
  version: z.number(),
  store_identity: z.string(),
  rebuilt_at: z.date().nullable(),
  partition: z.number(),
  position: z.string().nullable(),
  events: z.coerce.number(),
  epoch: z.coerce.number(),
  applied_at: z.date().nullable(),
  failure: z.string().nullable(),
  instance: z.string().nullable(),
  host: z.string().nullable(),
  pid: z.number().nullable(),
  alive: z.boolean(),
  dead_letters: z.number(),
  now: z.date(),
});

/** Excludes rebuilds in progress, whose names contain a slash. */
export async function findStatusRows(db: Kysely<Database>): Promise<StatusRow[]> {
  const { rows } = await sql`
    select p.projection, p.version, p.store_identity, p.rebuilt_at, q.partition, q.position, q.events, q.epoch,
      q.applied_at, q.failure, i.instance, i.host, i.pid, coalesce(i.alive, false) as alive,
      (select count(*)::int from throughline.dead_letters d where d.projection = p.projection) as dead_letters,
      clock_timestamp() as now
    from throughline.projections p
    join throughline.projection_partitions q using (projection)
    left join (select *, ${isAlive} as alive from throughline.projector_instances) i on i.instance = q.owner
    where p.projection not like '%/%'
    order by p.projection, q.partition`.execute(db);
  return rows.map((row) => statusRow.parse(row));
}
