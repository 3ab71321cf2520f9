import { type Kysely, sql } from 'kysely';
import { type IdleTransaction } from '#invariants';
import { z } from 'zod';

import { type Database } from '#database';

export const streamsPerPage = 50;
/** Longer than a transaction of the server is ever idle between two statements. */
const idleSeconds = 5;
export const maxDuplicates = 100;

export type DuplicateEvent = Readonly<{ eventId: string; times: number }>;

const streamRow = z.object({ stream: z.string() });
const duplicateRow = z.object({ event_id: z.string(), times: z.number() });
const sessionRow = z.object({
  pid: z.number(),
  application: z.string(),
  seconds: z.number(),
});

/** The names of all streams, in order and in pages. */
export async function* listStreams(db: Kysely<Database>): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const { rows } = await sql`
      select stream from throughline.streams where stream > ${after}
      order by stream limit ${streamsPerPage}`.execute(db);
    const names = rows.map((row) => streamRow.parse(row).stream);
    if (names.length > 0) yield names;
    const last = names.at(-1);
    if (last === undefined || names.length < streamsPerPage) return;
    after = last;
  }
}

export async function findDuplicates(db: Kysely<Database>): Promise<DuplicateEvent[]> {
  const { rows } = await sql`
    select event_id, count(*)::int as times from throughline.events
    group by event_id having count(*) > 1 order by event_id limit ${maxDuplicates}`.execute(db);
  return rows
    .map((row) => duplicateRow.parse(row))
    .map(({ event_id: eventId, times }) => ({ eventId, times }));
}

export async function findIdleTransactions(db: Kysely<Database>): Promise<IdleTransaction[]> {
  const { rows } = await sql`
    select pid, application_name as application, extract(epoch from now() - state_change)::int as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'
      and state_change < now() - make_interval(secs => ${idleSeconds})
    order by state_change`.execute(db);
  return rows.map((row) => sessionRow.parse(row));
}

/** The identity of the log in this database, whether it is used or not. */
export async function findOwnIdentity(db: Kysely<Database>): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id::text from throughline.store_identity`.execute(db);
  return rows[0]?.id;
}
