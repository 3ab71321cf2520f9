import { type Kysely, type Transaction, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

type Db = Kysely<Database> | Transaction<Database>;

/** An event that could not be applied: its context is quarantined in this projection, and other contexts continue. */
export type QuarantinedContext = ContextId &
  Readonly<{
    version: number;
    position: string;
    eventId: string | null;
    type: string | null;
    error: string;
  }>;

export type DeadLetter = QuarantinedContext &
  Readonly<{ id: string; projection: string; attempts: number; parkedAt: string; triedAt: string }>;

const deadLetterRow = z
  .object({
    id: z.string(),
    projection: z.string(),
    workspace: z.string(),
    context_id: z.string(),
    version: z.number(),
    position: z.string(),
    event_id: z.string().nullable(),
    event_type: z.string().nullable(),
    error: z.string(),
    attempts: z.number(),
    parked_at: z.date(),
    tried_at: z.date(),
  })
  .transform((row): DeadLetter => ({
    id: row.id,
    projection: row.projection,
    workspace: row.workspace,
    contextId: row.context_id,
    version: row.version,
    position: row.position,
    eventId: row.event_id,
    type: row.event_type,
    error: row.error,
    attempts: row.attempts,
    parkedAt: row.parked_at.toISOString(),
    triedAt: row.tried_at.toISOString(),
  }));

/** Quarantines contexts; for a quarantined context, records another failed attempt. */
export async function quarantine(
  db: Db,
  projection: string,
  quarantined: readonly QuarantinedContext[],
): Promise<void> {
  for (const { workspace, contextId, version, position, eventId, type, error } of quarantined)
    await sql`
      insert into throughline.dead_letters as d
        (projection, workspace, context_id, version, position, event_id, event_type, error)
      values (${projection}, ${workspace}, ${contextId}, ${version}, ${position}, ${eventId}, ${type}, ${error})
      on conflict (projection, workspace, context_id) do update set
        version = excluded.version, position = excluded.position, event_id = excluded.event_id,
        event_type = excluded.event_type, error = excluded.error, attempts = d.attempts + 1, tried_at = now()`.execute(
      db,
    );
}

export async function deleteDeadLetter(db: Db, id: string): Promise<void> {
  await sql`delete from throughline.dead_letters where id = ${id}`.execute(db);
}

/** Which of these contexts are quarantined. */
export async function findQuarantined(
  db: Db,
  projection: string,
  ids: readonly ContextId[],
): Promise<ContextId[]> {
  const { rows } = await sql<{ workspace: string; context_id: string }>`
    select workspace, context_id from throughline.dead_letters
    where projection = ${projection} and (workspace, context_id) in (
      select * from unnest(${ids.map(({ workspace }) => workspace)}::text[], ${ids.map(({ contextId }) => contextId)}::text[]))`.execute(
    db,
  );
  return rows.map((row) => ({ workspace: row.workspace, contextId: row.context_id }));
}

/** Which dead letters to list; absent members match all. `type`: the type of the event. */
export type DeadLetterFilter = Readonly<{
  workspace?: string | undefined;
  contextId?: string | undefined;
  type?: string | undefined;
}>;

type DeadLetterPage = Readonly<{
  projection: string;
  filter?: DeadLetterFilter | undefined;
  after?: Readonly<{ parkedAt: string; id: string }> | undefined;
  limit: number;
}>;

/** Oldest first. */
export async function listDeadLetters(db: Db, page: DeadLetterPage): Promise<DeadLetter[]> {
  const { workspace, contextId, type } = page.filter ?? {};
  const filters = [
    workspace === undefined ? sql`` : sql`and workspace = ${workspace}`,
    contextId === undefined ? sql`` : sql`and context_id = ${contextId}`,
    type === undefined ? sql`` : sql`and event_type = ${type}`,
  ];
  const after = page.after
    ? sql`and (date_trunc('milliseconds', parked_at), id) > (${page.after.parkedAt}::timestamptz, ${page.after.id}::uuid)`
    : sql``;
  const { rows } = await sql`
    select id, projection, workspace, context_id, version, position, event_id, event_type, error, attempts,
      date_trunc('milliseconds', parked_at) as parked_at, tried_at
    from throughline.dead_letters where projection = ${page.projection} ${sql.join(filters, sql` `)} ${after}
    order by date_trunc('milliseconds', parked_at), id limit ${page.limit}`.execute(db);
  return rows.map((row) => deadLetterRow.parse(row));
}

export async function findDeadLetter(db: Db, id: string): Promise<DeadLetter | undefined> {
  const { rows } = await sql`select * from throughline.dead_letters where id = ${id}`.execute(db);
  const [row] = rows;
  return row === undefined ? undefined : deadLetterRow.parse(row);
}
