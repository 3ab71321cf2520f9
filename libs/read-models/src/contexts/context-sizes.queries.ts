import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

/** How large all contexts are together, as lists have them. */
export type ContextSizes = Readonly<{
  contexts: number;
  events: number;
  bytes: number;
  tokens: number;
  /** Open ones that are close to the threshold of their workspace, and those beyond it. */
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

/** Looks at every context. `threshold`: where a workspace has stated none; `near`: the part of it from which on one is close. */
export async function findContextSizes(
  db: Kysely<Database>,
  { threshold, near }: Readonly<{ threshold: number; near: number }>,
): Promise<ContextSizes> {
  const { rows } = await sql`
    with stated as (
      select distinct on (workspace) workspace, (settings::jsonb ->> 'tokenThreshold')::bigint as threshold
      from throughline.workspace_settings order by workspace, version desc),
    sized as (
      select c.version, c.bytes, c.tokens, c.status, coalesce(s.threshold, ${threshold}::bigint) as threshold
      from throughline.contexts c left join stated s on s.workspace = c.workspace)
    select count(*) as contexts, coalesce(sum(greatest(version, 1)), 0) as events,
      coalesce(sum(bytes), 0) as bytes, coalesce(sum(tokens), 0) as tokens,
      count(*) filter (where status = 'open' and tokens > threshold) as over,
      count(*) filter (where status = 'open' and tokens <= threshold and tokens >= threshold * ${near}::float8) as near
    from sized`.execute(db);
  return sizesRow.parse(rows[0]);
}

/** Contexts that {@link hasLargerContext} looks at. */
const maxLookedAt = 10_000;

/** Whether one of some thousand contexts has more bytes or events than these: of more contexts, any are looked at. */
export async function hasLargerContext(
  db: Kysely<Database>,
  { bytes, version }: Readonly<{ bytes: number; version: number }>,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from (select bytes, version from throughline.contexts limit ${maxLookedAt}) c
      where c.bytes > ${bytes} or c.version > ${version}) as found`.execute(db);
  return rows[0]?.found ?? false;
}
