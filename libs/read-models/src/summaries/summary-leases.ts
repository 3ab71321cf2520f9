import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

/** The right to summarize a context, for a while. Whoever loses it to time may still append: deciding lets one do so. */
export type SummaryLease = ContextId & Readonly<{ lease: string; failures: number }>;

const claimed = z.object({ failures: z.number() });

/** Undefined if somebody else has it, or its time has not come again. `lease`: a fresh UUID. */
export async function claimSummary(
  db: Kysely<Database>,
  { workspace, contextId }: ContextId,
  { lease, seconds }: Readonly<{ lease: string; seconds: number }>,
): Promise<SummaryLease | undefined> {
  const { rows } = await sql`
    insert into throughline.summary_places as p (workspace, context_id, lease, leased_until)
    values (${workspace}, ${contextId}, ${lease}, now() + make_interval(secs => ${seconds}))
    on conflict (workspace, context_id) do update
      set lease = excluded.lease, leased_until = excluded.leased_until
      where (p.leased_until is null or p.leased_until <= now()) and (p.next_at is null or p.next_at <= now())
    returning failures`.execute(db);
  return rows.map((row) => ({ workspace, contextId, lease, ...claimed.parse(row) }))[0];
}

/** Nothing more is to be summarized before the context has grown behind `tokens`. */
export async function settleSummary(
  db: Kysely<Database>,
  { workspace, contextId, lease }: SummaryLease,
  tokens: number,
): Promise<void> {
  await sql`
    update throughline.summary_places
    set tokens = ${tokens}, failures = 0, next_at = null, lease = null, leased_until = null
    where workspace = ${workspace} and context_id = ${contextId} and lease = ${lease}::uuid`.execute(
    db,
  );
}

/** Lets others try, at once or after a while; `failed` counts, so that the next pause is longer. */
export async function giveBackSummary(
  db: Kysely<Database>,
  { workspace, contextId, lease }: SummaryLease,
  { seconds, failed }: Readonly<{ seconds: number; failed: boolean }>,
): Promise<void> {
  await sql`
    update throughline.summary_places
    set failures = failures + ${failed ? 1 : 0}, next_at = now() + make_interval(secs => ${seconds}),
      lease = null, leased_until = null
    where workspace = ${workspace} and context_id = ${contextId} and lease = ${lease}::uuid`.execute(
    db,
  );
}
