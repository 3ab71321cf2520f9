import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

import { DATABASE, RUN_OPTIONS, type RunOptions } from '../tokens.js';
import { AttemptLimits, lockedClaims } from './attempt-limits.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** `by`: the holder of a claim. `leaseMs`: the time after which it lapses without a heartbeat; the default is configured. */
export type Lease = Readonly<{ by: string; leaseMs?: number | undefined }>;

/** Identifies the attempt of a claim. */
export type AttemptKey = Pick<WaitingAttempt, 'contextId' | 'stepId' | 'version'>;

/** A time of the database, to the microsecond. */
export type ClaimEnd = string;

/** The claim of an ended attempt remains until read models have its end; otherwise workers would try to start it again. */
const endedSeconds = 5;

const leaseRow = z.object({ lease_until: z.date() });
const claimRow = z.object({ ends_at: z.string().nullable() });
const countedRow = claimRow.extend({ is_counted: z.boolean() });
const roomRow = claimRow.extend({ has_room: z.boolean() });

/**
 * Claims of workers that are about to start an attempt, or execute it. A claim lapses without heartbeats. Claims prevent
 * several workers from trying to start the same attempt. If a claim is lost, another worker may try, but the attempt never
 * starts twice.
 */
@Injectable()
export class AttemptClaims {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    private readonly limits: AttemptLimits,
  ) {}

  /** The default duration of a lease. */
  get leaseMs(): number {
    return this.options.leaseMs;
  }

  /**
   * Claims an attempt: until the returned end of the lease, only this caller may start it. Undefined if another worker has
   * claimed it, or a limit of running attempts is reached.
   */
  async claim(
    workspace: string,
    waiting: WaitingAttempt,
    lease: Lease,
  ): Promise<ClaimEnd | undefined> {
    const insert = this.#insert(workspace, waiting, lease);
    const { rows } = await sql`
      with limits as (
        select ${this.limits.isLimited(workspace, sql`${waiting.agent}::text`)} as is_counted),
      claimed as (
        ${insert} where not (select is_counted from limits) ${onLapsed}
        returning lease_until::text as ends_at)
      select is_counted, ends_at from limits left join claimed on true`.execute(this.db);
    const { is_counted: isCounted, ends_at: endsAt } = countedRow.parse(rows[0]);
    if (!isCounted) return endsAt ?? undefined;
    return this.#claimCounted(workspace, waiting, insert);
  }

  async #claimCounted(
    workspace: string,
    waiting: WaitingAttempt,
    insert: RawBuilder<unknown>,
  ): Promise<ClaimEnd | undefined> {
    const agents = [waiting.agent];
    const startable = this.limits.startable({ workspace, agents }, lockedClaims(workspace));
    let hasRoom = true;
    const claimed = await this.limits.runInTurn(workspace, async () => {
      const { rows } = await sql`
        with rooms as materialized (select exists (${startable}) as has_room),
        claimed as (
          ${insert} where (select has_room from rooms) ${onLapsed}
          returning lease_until::text as ends_at)
        select has_room, ends_at from rooms left join claimed on true`.execute(this.db);
      const { has_room, ends_at } = roomRow.parse(rows[0]);
      hasRoom = has_room;
      return ends_at ?? undefined;
    });
    if (!hasRoom) this.limits.hold(workspace, waiting);
    return claimed;
  }

  /**
   * Gives up a claim without a start, so that other workers may try. Does not delete the row: another worker may have
   * started the attempt, and only the row states when that worker was last alive.
   */
  async giveUp(workspace: string, key: AttemptKey, endsAt: ClaimEnd): Promise<void> {
    await sql`
      update throughline.run_claims set lease_until = clock_timestamp()
      where ${isAt(workspace, key)} and lease_until = ${endsAt}::timestamptz`.execute(this.db);
  }

  /** Renews the lease of an attempt whose worker is alive. Returns when it ends without a further heartbeat. */
  async renew(workspace: string, waiting: WaitingAttempt, lease: Lease): Promise<Date> {
    // Inserts the row again if it is missing, for example in a restored database.
    const { rows } = await sql`
      ${this.#insert(workspace, waiting, lease)}
      on conflict (workspace, context_id, step_id, version) do update
        set lease_until = excluded.lease_until
      returning lease_until`.execute(this.db);
    return leaseRow.parse(rows[0]).lease_until;
  }

  /** Whether the lease has ended without a further heartbeat. */
  async hasLapsed(workspace: string, key: AttemptKey): Promise<boolean> {
    const { rows } = await sql`
      select 1 from throughline.run_claims
      where ${isAt(workspace, key)} and lease_until <= clock_timestamp()`.execute(this.db);
    return rows.length > 0;
  }

  /** Removes the claim of a lost attempt, unless its worker has renewed it meanwhile. */
  async removeLapsed(workspace: string, key: AttemptKey): Promise<void> {
    await sql`
      delete from throughline.run_claims
      where ${isAt(workspace, key)} and lease_until <= clock_timestamp()`.execute(this.db);
  }

  /** Marks the claim of an ended attempt. */
  async end(workspace: string, key: AttemptKey): Promise<void> {
    await sql`
      update throughline.run_claims
      set ended = true, lease_until = clock_timestamp() + make_interval(secs => ${endedSeconds})
      from ${unsynced} where ${isAt(workspace, key)}`.execute(this.db);
    this.limits.noteEnd(workspace);
  }

  /** Removes lapsed claims of ended attempts. */
  async removeEnded(): Promise<void> {
    await sql`
      delete from throughline.run_claims
      where ended and lease_until <= clock_timestamp()`.execute(this.db);
  }

  #insert(workspace: string, waiting: WaitingAttempt, lease: Lease): RawBuilder<unknown> {
    const { contextId, stepId, version, runId, visit, attempt, agent } = waiting;
    const row = sql`(
      select ${workspace} as workspace, ${contextId} as context_id, ${stepId} as step_id, ${version}::integer as version,
             ${runId} as run_id, ${visit}::integer as visit, ${attempt}::integer as attempt, ${agent} as agent)`;
    return insertOf(row, lease, this.options);
  }
}

/** A statement that inserts claims for the attempts of a table with these columns; the caller may append a condition. */
export function insertOf(
  attempts: RawBuilder<unknown>,
  { by, leaseMs }: Lease,
  options: Pick<RunOptions, 'leaseMs'>,
): RawBuilder<unknown> {
  const seconds = (leaseMs ?? options.leaseMs) / 1_000;
  return sql`
    insert into throughline.run_claims as h
      (workspace, context_id, step_id, version, run_id, visit, attempt, agent, claimed_by, lease_until)
    select n.workspace, n.context_id, n.step_id, n.version, n.run_id, n.visit, n.attempt, n.agent,
           ${by}, clock_timestamp() + make_interval(secs => ${seconds}::double precision)
    from ${attempts} n, ${unsynced}`;
}

/** Replaces a claim whose lease has ended. */
export const onLapsed = sql`on conflict (workspace, context_id, step_id, version) do update
  set claimed_by = excluded.claimed_by, lease_until = excluded.lease_until, ended = false
  where h.lease_until <= clock_timestamp()`;

/**
 * Claims need not be on disk before they are answered: the start of an attempt is written after its claim, and its commit
 * flushes both. If a claim is lost before that, another worker may try. The setting ends with the statement.
 */
const unsynced = sql`(select set_config('synchronous_commit', 'off', true)) as unsynced`;

function isAt(workspace: string, { contextId, stepId, version }: AttemptKey) {
  return sql`(workspace, context_id, step_id, version) = (${workspace}, ${contextId}, ${stepId}, ${version})`;
}
