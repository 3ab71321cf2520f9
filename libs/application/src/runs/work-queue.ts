import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { attemptIn, epochIn, runIn, statusIn, visitIn } from '#read-models';

import { DATABASE, RUN_OPTIONS, type RunOptions } from '../tokens.js';
import { type ClaimEnd, type Lease, unsynced } from './attempt-claims.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** So many attempts are looked at for one claim. */
const mostCandidates = 20;

/** Limits of the caller's key: only these contexts, and only those of these workflows. */
export type QueueFilter = Readonly<{
  workspace: string;
  agents: readonly string[];
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
}>;

const candidate = z.object({
  context_id: z.string(),
  key: z.string(),
  agent: z.string(),
  from_version: z.number(),
  state: z.string(),
});
const scheduled = z.object({ runId: z.string(), visit: z.number(), attempt: z.number() });

/** Attempts that wait for workers. A row of open work is only a hint: whether the attempt may start is decided on the run itself. */
@Injectable()
export class WorkQueue {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
  ) {}

  /** The attempts of running runs that have waited longest, without those that somebody is about to start. */
  async waiting(filter: QueueFilter, limit = mostCandidates): Promise<readonly WaitingAttempt[]> {
    const { rows } = await sql`
      select o.context_id, o.key, o.assignee as agent, o.from_version, o.state
      from throughline.open_work o
      join throughline.contexts c on c.workspace = o.workspace and c.context_id = o.context_id
      where ${conditionsOf(filter)}
        and ${isUnclaimed}
      order by o.opened_at, o.context_id, o.key limit ${limit}`.execute(this.db);
    return rows.map(waitingIn);
  }

  /** Claims the attempt that has waited longest: several that do so at once get different ones. */
  async claimNext(filter: QueueFilter, lease: Lease): Promise<ClaimedNext | undefined> {
    const { by, leaseMs } = lease;
    const seconds = (leaseMs ?? this.options.leaseMs) / 1_000;
    const { rows } = await sql`
      with next as (
        select o.workspace, o.context_id, o.key, o.assignee, o.from_version, o.state
        from throughline.open_work o
        join throughline.contexts c on c.workspace = o.workspace and c.context_id = o.context_id
        where ${conditionsOf(filter)} and ${isUnclaimed}
        order by o.opened_at, o.context_id, o.key limit 1
        for update of o skip locked)
      insert into throughline.run_claims as h
        (workspace, context_id, step_id, version, run_id, visit, attempt, agent, claimed_by, lease_until)
      select workspace, context_id, key, from_version, ${runIn('next')}, ${visitIn('next')}, ${attemptIn('next')},
             assignee, ${by},
             clock_timestamp() + make_interval(secs => ${seconds}::double precision)
      from next, ${unsynced}
      on conflict (workspace, context_id, step_id, version) do update
        set claimed_by = excluded.claimed_by, lease_until = excluded.lease_until, ended = false
        where h.lease_until <= clock_timestamp()
      returning context_id, step_id, version, run_id, visit, attempt, agent, lease_until::text as ends_at`.execute(
      this.db,
    );
    return rows.length > 0 ? claimedIn(rows[0]) : undefined;
  }
}

const isUnclaimed = sql`not exists (
  select from throughline.run_claims held
  where (held.workspace, held.context_id, held.step_id, held.version)
      = (o.workspace, o.context_id, o.key, o.from_version)
    and held.lease_until > clock_timestamp())`;

/** An attempt that was claimed, and when the lease of its claim ends. */
export type ClaimedNext = Readonly<{ waiting: WaitingAttempt; endsAt: ClaimEnd }>;

const nextRow = z.object({
  ...{ context_id: z.string(), step_id: z.string(), run_id: z.string(), agent: z.string() },
  ...{ version: z.number(), visit: z.number(), attempt: z.number(), ends_at: z.string() },
});

function claimedIn(row: unknown): ClaimedNext {
  const {
    context_id: contextId,
    step_id: stepId,
    run_id: runId,
    ends_at: endsAt,
    ...rest
  } = nextRow.parse(row);
  return { waiting: { contextId, runId, stepId, ...rest }, endsAt };
}

function waitingIn(row: unknown): WaitingAttempt {
  const { context_id: contextId, key: stepId, agent, from_version, state } = candidate.parse(row);
  const attempt = scheduled.parse(JSON.parse(state));
  return { contextId, stepId, agent, version: from_version, ...attempt };
}

/** Whether the run of an open item is of this epoch and has one of these statuses: answered by an index alone. */
export function goesOn(statuses: readonly string[]) {
  return sql`exists (
    select from throughline.context_items r
    where r.workspace = o.workspace and r.context_id = o.context_id
      and r.kind = 'run' and r.to_version is null
      and ${epochIn('r')} = (select epoch from throughline.store_epoch)
      and ${statusIn('r')} = any(${[...statuses]}))`;
}

function conditionsOf({ workspace, agents, contexts, workflows }: QueueFilter) {
  const conditions = [
    sql`o.workspace = ${workspace} and o.due and o.kind = 'run-step'`,
    sql`o.assignee = any(${[...agents]}) and c.status = 'open'`,
    // Times of this form are in the order of their texts.
    sql`o.opened_at <= to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    // Nothing starts in a run that is paused, is being cancelled, or was restored or imported.
    goesOn(['running']),
    ...(contexts ? [sql`(c.context_id = any(${contexts}) or c.parent = any(${contexts}))`] : []),
    ...(workflows ? [sql`c.workflow_id = any(${workflows})`] : []),
  ];
  return sql.join(conditions, sql` and `);
}
