import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

/**
 * The right to summarize a context for a limited time. A holder whose lease has expired may still append: the decider
 * accepts only one.
 */
export type SummaryLease = ContextId & Readonly<{ lease: string; failures: number }>;

const claimed = z.object({ failures: z.number() });

/** Undefined if another process holds the lease, or if the next attempt is not due. `lease`: a new UUID. */
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

/** Records that nothing is to be summarized until the context has grown beyond `tokens`. */
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

/**
 * Releases the lease, so that others can try at once or after a delay; `failed` counts failures, which lengthen the
 * next delay.
 */
export async function releaseSummary(
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
