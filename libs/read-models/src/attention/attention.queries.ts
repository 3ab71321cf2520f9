import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type AttentionReason, type ContextHead, attentionReasons } from '#shared-context';

import { headRow, toHead } from '../contexts/head-rows.js';
import { statusIn } from '../runs/run-state.js';
import {
  type ContextFilter,
  type ContextListRange,
  listConditions,
} from '../search/context-list.queries.js';

/** Reasons that the rows of a context state without its decisions. */
type StatedReason = Exclude<AttentionReason, 'stale-decision'>;

/**
 * An open context with the reasons in its rows. `mayBeStale`: whether its decisions must be read to know whether one of
 * them is stale. They are read only if there is a superseded decision and another one that cites decisions or a read,
 * or if the context continues another one or an earlier version, whose rows may contain them.
 */
export type AttentionCandidate = Readonly<{
  head: ContextHead;
  stated: readonly StatedReason[];
  mayBeStale: boolean;
}>;

/** The kinds of open work that wait for a person, by the reason that they are. */
const reasonsOfWork = {
  'run-step': 'approval',
  decision: 'pending-decision',
  loop: 'tripped-breaker',
} as const satisfies Record<string, StatedReason>;

const row = headRow.extend({
  waiting: z.array(z.enum(['run-step', 'decision', 'loop'])),
  has_failed: z.boolean(),
  may_be_stale: z.boolean(),
});

const waiting = sql`array(
  select distinct o.kind from throughline.open_work o
  where o.workspace = c.workspace and o.context_id = c.context_id and o.kind = any(${Object.keys(reasonsOfWork)})
    and o.due and o.assignee is null)`;

const hasFailedRun = sql`exists (
  select from throughline.context_items i
  where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = 'run' and i.to_version is null
    and ${statusIn('i')} = 'failed')`;

// States and bodies are JSON texts; the quotes of user texts in them are escaped.
const mayBeStale = sql`(c.lineage is not null or (
  select bool_or(i.state like '%"status":"superseded"%')
    and bool_or(i.state not like '%"status":"superseded"%' and (
      i.state like '%"basedOn":%' or i.body_position is not null or i.body like '%"relatedDecisions":%'))
  from throughline.context_items i
  where i.workspace = c.workspace and i.context_id = c.context_id and i.kind = 'decision' and i.to_version is null)
  is true)`;

/**
 * Open contexts that need attention for one of the reasons or, for stale decisions, may need it; newest first. Takes a
 * few index lookups for each context in the range.
 */
export async function listAttentionCandidates(
  db: Kysely<Database>,
  {
    filter,
    reasons,
    tokenThreshold,
  }: Readonly<{
    filter: ContextFilter;
    reasons: readonly AttentionReason[];
    tokenThreshold: number;
  }>,
  range: ContextListRange,
): Promise<AttentionCandidate[]> {
  const flags: Readonly<Record<AttentionReason, RawBuilder<unknown>>> = {
    approval: sql`'run-step' = any(f.waiting)`,
    'pending-decision': sql`'decision' = any(f.waiting)`,
    'tripped-breaker': sql`'loop' = any(f.waiting)`,
    'failed-run': sql`f.has_failed`,
    'stale-decision': sql`f.may_be_stale`,
    oversized: sql`c.tokens > ${tokenThreshold}`,
  };
  const conditions = [
    ...listConditions({ ...filter, status: 'open' }, range),
    sql`(${sql.join(
      reasons.map((reason) => flags[reason]),
      sql` or `,
    )})`,
  ];
  const { rows } = await sql`
    select c.*, f.* from throughline.contexts c
    cross join lateral (
      select ${waiting} as waiting, ${hasFailedRun} as has_failed, ${mayBeStale} as may_be_stale offset 0) f
    where ${sql.join(conditions, sql` and `)}
    order by c.created_at desc, c.context_id desc
    limit ${range.limit}`.execute(db);
  return rows.map((each) => toCandidate(row.parse(each), tokenThreshold));
}

function toCandidate(found: z.output<typeof row>, tokenThreshold: number): AttentionCandidate {
  const head = toHead(found);
  const present = new Set<StatedReason>([
    ...found.waiting.map((kind) => reasonsOfWork[kind]),
    ...(found.has_failed ? (['failed-run'] as const) : []),
    ...(head.tokens > tokenThreshold ? (['oversized'] as const) : []),
  ]);
  const stated = attentionReasons.filter(
    (reason) => reason !== 'stale-decision' && present.has(reason),
  ) as StatedReason[];
  return { head, stated, mayBeStale: found.may_be_stale };
}
