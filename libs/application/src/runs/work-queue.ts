import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { attemptIn, epochIn, runIn, statusIn, visitIn } from '#read-models';

import { DATABASE, RUN_OPTIONS, type RunOptions } from '../tokens.js';
import { type ClaimEnd, type Lease, onLapsed, unsynced } from './attempt-claims.js';
import { AttemptLimits, withinRoom } from './attempt-limits.js';
import { DeniedAttempts } from './denied-attempts.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** So many attempts are looked at for one claim. */
const mostCandidates = 20;

/**
 * Limits of the caller's key: only these contexts, and only those of these workflows. `except`: attempts that the caller is not to be
 * given.
 */
export type QueueFilter = Readonly<{
  workspace: string;
  agents: readonly string[];
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
  except?: readonly WaitingAttempt[];
}>;

const room = z.number().nullable();
const candidate = z.object({
  ...{ room, workspace_room: room },
  context_id: z.string(),
  key: z.string(),
  agent: z.string(),
  from_version: z.number(),
  state: z.string(),
});
type Candidate = z.output<typeof candidate>;
const countedRow = z.object({ is_counted: z.boolean() });
const scheduled = z.object({ runId: z.string(), visit: z.number(), attempt: z.number() });

/** Attempts that wait for workers. A row of open work is only a hint: whether the attempt may start is decided on the run itself. */
@Injectable()
export class WorkQueue {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    readonly limits: AttemptLimits,
    readonly denied: DeniedAttempts,
  ) {}

  /**
   * The attempts of running runs that have waited longest, so many of each agent, without those that somebody is about to start, and no more
   * of an agent than its limit and that of the workspace leave room for.
   */
  async waiting(filter: QueueFilter, limit = mostCandidates): Promise<readonly WaitingAttempt[]> {
    const { workspace } = filter;
    const agents = [...new Set(filter.agents)];
    const { rows } = await sql`
      with startable as materialized (${this.limits.startable({ workspace, agents })})
      select w.context_id, w.key, s.agent, w.from_version, w.state, s.room, s.workspace_room
      from startable s cross join lateral (
        select o.context_id, o.key, o.from_version, o.state, o.opened_at
        ${sourceOf(filter, sql`o.assignee = s.agent`)} limit ${limit}) w
      order by w.opened_at, w.context_id, w.key`.execute(this.db);
    return withinRoom(rows.map((row) => candidate.parse(row))).map(waitingIn);
  }

  /**
   * Claims the attempt that has waited longest and may start now: several that do so at once get different ones. `behind`: what the caller
   * has claimed and not started.
   */
  async claimNext(
    filter: QueueFilter,
    lease: Lease,
    behind: readonly WaitingAttempt[] = [],
  ): Promise<ClaimedNext | undefined> {
    const { workspace } = filter;
    const { rows } = await sql`
      with next as (${nextOf(filter, isOfAgents(filter))}),
      counted as (
        select next.*, ${this.limits.areSet(workspace, sql`next.assignee`)} as is_counted from next),
      claimed as (${this.#insertFrom(sql`counted`, lease)} where not is_counted ${onLapsed} ${returned})
      select counted.is_counted, claimed.* from counted left join claimed on true`.execute(this.db);
    const [row] = rows;
    if (row === undefined) return undefined;
    if (!countedRow.parse(row).is_counted) return claimedIn(row);
    return this.limits.inTurn(workspace, async (trx) => {
      const startable = this.limits.startable({ ...filter, except: behind });
      const { rows: claimed } = await sql`
        with startable as materialized (${startable}),
        next as (${nextOf(filter, isStartable)})
        ${this.#insertFrom(sql`next`, lease)} ${onLapsed} ${returned}`.execute(trx);
      return claimedIn(claimed[0]);
    });
  }

  #insertFrom(source: RawBuilder<unknown>, { by, leaseMs }: Lease): RawBuilder<unknown> {
    const seconds = (leaseMs ?? this.options.leaseMs) / 1_000;
    return sql`
      insert into throughline.run_claims as h
        (workspace, context_id, step_id, version, run_id, visit, attempt, agent, claimed_by, lease_until)
      select n.workspace, n.context_id, n.key, n.from_version, ${runIn('n')}, ${visitIn('n')}, ${attemptIn('n')},
             n.assignee, ${by},
             clock_timestamp() + make_interval(secs => ${seconds}::double precision)
      from ${source} n, ${unsynced}`;
  }
}

/** Rows of open work with the attempts of a filter, those first that have waited longest. */
function sourceOf(filter: QueueFilter, ofAgents: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    from throughline.open_work o
    join throughline.contexts c on c.workspace = o.workspace and c.context_id = o.context_id
    where ${conditionsOf(filter, ofAgents)} and ${isUnclaimed}
    order by o.opened_at, o.context_id, o.key`;
}

function nextOf(filter: QueueFilter, ofAgents: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select o.workspace, o.context_id, o.key, o.assignee, o.from_version, o.state
    ${sourceOf(filter, ofAgents)} limit 1
    for update of o skip locked`;
}

function isOfAgents({ agents }: QueueFilter): RawBuilder<unknown> {
  // Rows of one agent are read in the order of the index, as far as the first one that may start.
  const [agent] = agents;
  return agents.length === 1 ? sql`o.assignee = ${agent}` : sql`o.assignee = any(${[...agents]})`;
}

/** With the agents of `AttemptLimits.startable` as the table `startable`. */
const isStartable = sql`o.assignee = any(array(select agent from startable))`;

const returned = sql`
  returning context_id, step_id, version, run_id, visit, attempt, agent, lease_until::text as ends_at`;

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

/** There was no attempt, or somebody else has claimed it at the same time. */
const nothingClaimed = z.object({ context_id: z.null() }).optional();

/** Undefined if nothing was claimed. */
function claimedIn(row: unknown): ClaimedNext | undefined {
  const claimed = nextRow.or(nothingClaimed).parse(row);
  if (!claimed || claimed.context_id === null) return undefined;
  const {
    context_id: contextId,
    step_id: stepId,
    run_id: runId,
    ends_at: endsAt,
    ...rest
  } = claimed;
  return { waiting: { contextId, runId, stepId, ...rest }, endsAt };
}

function waitingIn(row: Candidate): WaitingAttempt {
  const { context_id: contextId, key: stepId, agent, from_version, state } = row;
  const attempt = scheduled.parse(JSON.parse(state));
  return { contextId, stepId, agent, version: from_version, ...attempt };
}

/**
 * Whether the run of an open item is of this epoch and has one of these statuses: answered by an index alone. As a value, it is looked up
 * for each item by the whole key; a join may read all runs of the workspace for each item if statistics are old.
 */
export function goesOn(statuses: readonly string[]) {
  return sql`coalesce((
    select true from throughline.context_items r
    where r.workspace = o.workspace and r.context_id = o.context_id
      and r.kind = 'run' and r.to_version is null
      and ${epochIn('r')} = (select epoch from throughline.store_epoch)
      and ${statusIn('r')} = any(${[...statuses]}) limit 1), false)`;
}

function conditionsOf(
  { workspace, contexts, workflows, except = [] }: QueueFilter,
  ofAgents: RawBuilder<unknown>,
) {
  const conditions = [
    sql`o.workspace = ${workspace} and o.due and o.kind = 'run-step'`,
    sql`${ofAgents} and c.status = 'open'`,
    // Times of this form are in the order of their texts.
    sql`o.opened_at <= to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    // Nothing starts in a run that is paused, is being cancelled, or was restored or imported.
    goesOn(['running']),
    ...(contexts ? [sql`(c.context_id = any(${contexts}) or c.parent = any(${contexts}))`] : []),
    ...(workflows ? [sql`c.workflow_id = any(${workflows})`] : []),
    ...(except.length > 0 ? [isNoneOf(except)] : []),
  ];
  return sql.join(conditions, sql` and `);
}

function isNoneOf(attempts: readonly WaitingAttempt[]): RawBuilder<unknown> {
  const contexts = attempts.map(({ contextId }) => contextId);
  const steps = attempts.map(({ stepId }) => stepId);
  const versions = attempts.map(({ version }) => version);
  return sql`(o.context_id, o.key, o.from_version) not in (
    select * from unnest(${contexts}::text[], ${steps}::text[], ${versions}::integer[]))`;
}
