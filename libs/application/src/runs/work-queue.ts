import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { attemptIn, epochIn, runIn, statusIn, visitIn } from '#read-models';

import { DATABASE, RUN_OPTIONS, type RunOptions } from '../tokens.js';
import { type ClaimEnd, type Lease, insertOf, onLapsed } from './attempt-claims.js';
import { AttemptLimits, claimsInTurn, withinRoom } from './attempt-limits.js';
import { DeniedAttempts } from './denied-attempts.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** So many attempts are looked at for one claim. */
const mostCandidates = 20;

/** So many attempts of each agent are looked at for a claim for several: others may claim them at the same time. */
const mostOfAgent = 8;

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
const countedRow = z.object({ is_counted: z.boolean().nullable() });
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
   * The attempts of running runs that have waited longest, so many of each agent, without those that somebody is about to start, and no more of an agent than its
   * limit and that of the workspace leave room for.
   */
  async waiting(filter: QueueFilter, limit = mostCandidates): Promise<readonly WaitingAttempt[]> {
    const { workspace } = filter;
    const agents = [...new Set(filter.agents)];
    const { rows } = await sql`
      with startable as materialized (${this.limits.startable({ workspace, agents })})
      select o.*, a.room, a.workspace_room
      from startable a cross join lateral (
        select o.context_id, o.key, o.assignee as agent, o.from_version, o.state, o.opened_at
        ${sourceOf(filter, { agent: sql`a.agent`, isFree: isUnclaimed })}
        limit least(${limit}::integer, a.room, a.workspace_room)) o
      order by o.opened_at, o.context_id, o.key`.execute(this.db);
    return withinRoom(rows.map((row) => candidate.parse(row))).map(waitingIn);
  }

  /**
   * Claims the attempt that has waited longest and may start now: several that do so at once get different ones. `behind`: what the caller
   * has claimed and not started. Undefined if nothing may start; `overtaken`: others were faster, and more may wait.
   */
  async claimNext(
    filter: QueueFilter,
    lease: Lease,
    behind: readonly WaitingAttempt[] = [],
  ): Promise<ClaimedNext | 'overtaken' | undefined> {
    const { workspace } = filter;
    const { rows } = await sql`
      with ${nextOf(filter)},
      counted as (
        select next.*, ${this.limits.areSet(workspace, sql`next.agent`)} as is_counted from next),
      claimed as (${insertOf(sql`counted`, lease, this.options)} where not is_counted ${onLapsed} ${returned})
      select counted.is_counted, claimed.*
      from (select from found limit 1) one left join counted on true left join claimed on true`.execute(
      this.db,
    );
    const [row] = rows;
    if (row === undefined || countedRow.parse(row).is_counted !== true) return claimedIn(row);
    return this.limits.inTurn(workspace, () => this.#claimCounted(filter, lease, behind));
  }

  async #claimCounted(filter: QueueFilter, lease: Lease, except: readonly WaitingAttempt[]) {
    const startable = this.limits.startable({ ...filter, except }, sql`held`);
    const { rows } = await sql`
      with held as materialized (select * from ${claimsInTurn(filter.workspace)}),
      startable as materialized (${startable}),
      ${nextOfEach(filter, sql`(select agent from startable)`, isNotHeld)},
      claimed as (${insertOf(sql`next`, lease, this.options)} ${onLapsed} ${returned})
      select claimed.* from (select from found limit 1) one left join claimed on true`.execute(
      this.db,
    );
    return claimedIn(rows[0]);
  }
}

type Source = Readonly<{ agent: RawBuilder<unknown>; isFree: RawBuilder<unknown> }>;

/** Rows of open work with the attempts of an agent, those first that have waited longest: they are read in the order of the index. */
function sourceOf(filter: QueueFilter, { agent, isFree }: Source): RawBuilder<unknown> {
  return sql`
    from throughline.open_work o
    join throughline.contexts c on c.workspace = o.workspace and c.context_id = o.context_id
    where o.assignee = ${agent} and ${conditionsOf(filter)} and ${isFree}
    order by o.opened_at, o.context_id, o.key`;
}

const claimable = sql`
  o.workspace, o.context_id, o.key as step_id, o.from_version as version, o.assignee as agent,
  ${runIn('o')} as run_id, ${visitIn('o')} as visit, ${attemptIn('o')} as attempt`;

/** The attempt to claim as the table `next`; the table `found` is empty if there is none, whatever others lock. */
function nextOf(filter: QueueFilter): RawBuilder<unknown> {
  const [agent] = filter.agents;
  if (filter.agents.length > 1)
    return nextOfEach(filter, sql`unnest(${[...filter.agents]}::text[])`, isUnclaimed);
  return sql`
    next as (
      select ${claimable} ${sourceOf(filter, { agent: sql`${agent}`, isFree: isUnclaimed })} limit 1
      for update of o skip locked),
    found as (select from next)`;
}

/** As {@link nextOf}, for several agents: of each the first ones are read, whose rows are in the order of the index, and then one is locked. */
function nextOfEach(
  filter: QueueFilter,
  agents: RawBuilder<unknown>,
  isFree: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    found as materialized (
      select first.* from ${agents} a(agent) cross join lateral (
        select o.workspace, o.context_id, o.kind, o.key, o.from_version, o.opened_at
        ${sourceOf(filter, { agent: sql`a.agent`, isFree })} limit ${mostOfAgent}) first),
    next as (
      select ${claimable}
      from found f join throughline.open_work o
        on (o.workspace, o.context_id, o.kind, o.key) = (f.workspace, f.context_id, f.kind, f.key)
      where o.from_version = f.from_version and o.due
      order by f.opened_at, f.context_id, f.key limit 1
      for update of o skip locked)`;
}

const returned = sql`
  returning context_id, step_id, version, run_id, visit, attempt, agent, lease_until::text as ends_at`;

/** With {@link claimsInTurn} as the table `held`. */
const isNotHeld = sql`(o.context_id, o.key, o.from_version) not in (
  select context_id, step_id, version from held)`;

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

/** There are attempts, but somebody else was faster. */
const overtaken = z.object({ context_id: z.null() });

/** Undefined if there is no row: no attempt waits. */
function claimedIn(row: unknown): ClaimedNext | 'overtaken' | undefined {
  const claimed = nextRow.or(overtaken).optional().parse(row);
  if (!claimed) return undefined;
  if (claimed.context_id === null) return 'overtaken';
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

function conditionsOf({ workspace, contexts, workflows, except = [] }: QueueFilter) {
  const conditions = [
    sql`o.workspace = ${workspace} and o.due and o.kind = 'run-step'`,
    sql`c.status = 'open'`,
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
