import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

/** The total size of all contexts. */
export type ContextSizes = Readonly<{
  contexts: number;
  events: number;
  bytes: number;
  tokens: number;
  /** Open contexts that are close to the token threshold of their workspace, and open contexts above it. */
  nearThreshold: number;
  overThreshold: number;
}>;

const sizesRow = z
  .object({
    contexts: z.coerce.number(),
    events: z.coerce.number(),
    bytes: z.coerce.number(),
    tokens: z.coerce.number(),
    near: z.coerce.number(),
    over: z.coerce.number(),
  })
  .transform(({ near: nearThreshold, over: overThreshold, ...sums }): ContextSizes => {
    return { ...sums, nearThreshold, overThreshold };
  });

/**
 * Scans every context. `threshold` applies to workspaces without a setting; `near` is the fraction of the threshold
 * from which a context counts as close.
 */
export async function findContextSizes(
  db: Kysely<Database>,
  { threshold, near }: Readonly<{ threshold: number; near: number }>,
): Promise<ContextSizes> {
  const { rows } = await sql`
    with configured as (
      select distinct on (workspace) workspace, (settings::jsonb ->> 'tokenThreshold')::bigint as threshold
      from throughline.workspace_settings order by workspace, version desc),
    sized as (
      select c.version, c.bytes, c.tokens, c.status, coalesce(s.threshold, ${threshold}::bigint) as threshold
      from throughline.contexts c left join configured s on s.workspace = c.workspace)
    select count(*) as contexts, coalesce(sum(greatest(version, 1)), 0) as events,
      coalesce(sum(bytes), 0) as bytes, coalesce(sum(tokens), 0) as tokens,
      count(*) filter (where status = 'open' and tokens > threshold) as over,
      count(*) filter (where status = 'open' and tokens <= threshold and tokens >= threshold * ${near}::float8) as near
    from sized`.execute(db);
  return sizesRow.parse(rows[0]);
}

/** The number of contexts that {@link hasLargerContext} examines. */
const maxExamined = 10_000;

/**
 * Whether a context has more bytes or more events than these. Examines a bounded number of contexts, chosen
 * arbitrarily.
 */
export async function hasLargerContext(
  db: Kysely<Database>,
  { bytes, version }: Readonly<{ bytes: number; version: number }>,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from (select bytes, version from throughline.contexts limit ${maxExamined}) c
      where c.bytes > ${bytes} or c.version > ${version}) as found`.execute(db);
  return rows[0]?.found ?? false;
}
