import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { attemptIn, epochIn, runIn, statusIn, visitIn } from '#read-models';

import { DATABASE, RUN_OPTIONS, type RunOptions } from '../tokens.js';

/** So many attempts are looked at for one claim. */
const mostCandidates = 20;

/** An attempt that waits for its agent; `version`: of the event that scheduled it. */
export type WaitingAttempt = Readonly<{
  contextId: string;
  runId: string;
  stepId: string;
  visit: number;
  attempt: number;
  version: number;
  agent: string;
}>;

/** Whose claim it is, and for how long without a heartbeat; without `leaseMs`, as the server is configured. */
export type Lease = Readonly<{ by: string; leaseMs?: number | undefined }>;

/** Which attempt a claim is of. */
export type ClaimPlace = Pick<WaitingAttempt, 'contextId' | 'stepId' | 'version'>;

/** A time of the database, to the microsecond. */
export type ClaimEnd = string;

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

/**
 * Attempts that wait for workers. A row of open work is only a hint: whether the attempt may start is decided on the run itself.
 * Claims prevent that several try to start the same one; losing them costs a second try, never a second start.
 */
@Injectable()
export class WorkQueue {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
  ) {}

  /** How long a lease is unless its claim says otherwise. */
  get leaseMs(): number {
    return this.options.leaseMs;
  }

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
        set claimed_by = excluded.claimed_by, lease_until = excluded.lease_until
        where h.lease_until <= clock_timestamp()
      returning context_id, step_id, version, run_id, visit, attempt, agent, lease_until::text as ends_at`.execute(
      this.db,
    );
    return rows.length > 0 ? claimedIn(rows[0]) : undefined;
  }

  /**
   * When the lease of this caller ends, who then is the one to start the attempt: until then, others leave it alone. Undefined if somebody
   * else is.
   */
  async claim(
    workspace: string,
    waiting: WaitingAttempt,
    lease: Lease,
  ): Promise<ClaimEnd | undefined> {
    const { rows } = await sql`
      ${this.#insert(workspace, waiting, lease)}
      on conflict (workspace, context_id, step_id, version) do update
        set claimed_by = excluded.claimed_by, lease_until = excluded.lease_until
        where h.lease_until <= clock_timestamp()
      returning lease_until::text as ends_at`.execute(this.db);
    return rows.length > 0 ? claimRow.parse(rows[0]).ends_at : undefined;
  }

  /**
   * Others may try at once to start the attempt, which this claim has not led to. The row stays: somebody else may have started the
   * attempt, and only the row says when they were last alive.
   */
  async endClaim(workspace: string, place: ClaimPlace, endsAt: ClaimEnd): Promise<void> {
    await sql`
      update throughline.run_claims set lease_until = clock_timestamp()
      where ${isAt(workspace, place)} and lease_until = ${endsAt}::timestamptz`.execute(this.db);
  }

  /** Whoever carries the attempt out is alive. Returns when the lease ends without a further heartbeat. */
  async renew(workspace: string, waiting: WaitingAttempt, lease: Lease): Promise<Date> {
    // A row that is gone, as from a restored database, is there again.
    const { rows } = await sql`
      ${this.#insert(workspace, waiting, lease)}
      on conflict (workspace, context_id, step_id, version) do update
        set lease_until = excluded.lease_until
      returning lease_until`.execute(this.db);
    return leaseRow.parse(rows[0]).lease_until;
  }

  /** Whether nobody has renewed the lease. */
  async hasLapsed(workspace: string, place: ClaimPlace): Promise<boolean> {
    const { rows } = await sql`
      select 1 from throughline.run_claims
      where ${isAt(workspace, place)} and lease_until <= clock_timestamp()`.execute(this.db);
    return rows.length > 0;
  }

  /** The attempt was lost, unless its worker has come back meanwhile. */
  async releaseLapsed(workspace: string, place: ClaimPlace): Promise<void> {
    await sql`
      delete from throughline.run_claims
      where ${isAt(workspace, place)} and lease_until <= clock_timestamp()`.execute(this.db);
  }

  /** The attempt has ended. */
  async release(workspace: string, place: ClaimPlace): Promise<void> {
    await sql`
      delete from throughline.run_claims using ${unsynced} where ${isAt(workspace, place)}`.execute(
      this.db,
    );
  }

  #insert(workspace: string, waiting: WaitingAttempt, { by, leaseMs }: Lease) {
    const { contextId, stepId, version, runId, visit, attempt, agent } = waiting;
    const seconds = (leaseMs ?? this.options.leaseMs) / 1_000;
    return sql`
      insert into throughline.run_claims as h
        (workspace, context_id, step_id, version, run_id, visit, attempt, agent, claimed_by, lease_until)
      select ${workspace}, ${contextId}, ${stepId}, ${version}::integer, ${runId}, ${visit}::integer, ${attempt}::integer,
             ${agent}, ${by}, clock_timestamp() + make_interval(secs => ${seconds}::double precision)
      from ${unsynced}`;
  }
}

/**
 * Claims need not be on disk before they are answered: the start of an attempt is written behind its claim and waits for both, and a claim
 * that is lost with nothing behind it costs a second try. The setting ends with the statement.
 */
const unsynced = sql`(select set_config('synchronous_commit', 'off', true)) as unsynced`;

function isAt(workspace: string, { contextId, stepId, version }: ClaimPlace) {
  return sql`(workspace, context_id, step_id, version) = (${workspace}, ${contextId}, ${stepId}, ${version})`;
}

const leaseRow = z.object({ lease_until: z.date() });
const claimRow = z.object({ ends_at: z.string() });

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
