import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';

import { DATABASE, RUN_OPTIONS, type RunOptions } from '../tokens.js';
import { type Lease, insertOf, onLapsed } from './attempt-claims.js';
import { AttemptLimits, lockedClaims, withinRoom } from './attempt-limits.js';
import { DeniedAttempts } from './denied-attempts.js';
import {
  attemptsOf,
  isNotHeld,
  isUnclaimed,
  nextOf,
  nextOfEach,
} from './next-attempt.statement.js';
import { type QueueFilter } from './queue-filter.js';
import { type AttemptClaim, claimedIn, isCounted, waitingIn, waitingRow } from './queue.rows.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** How many attempts of an agent one claim reads. */
const maxCandidates = 20;

const returningClaim = sql`
  returning context_id, step_id, version, run_id, visit, attempt, agent, lease_until::text as ends_at`;

/**
 * Waiting attempts, read from rows of open work. A row is only a hint: the run itself decides whether the attempt may
 * start.
 */
@Injectable()
export class WorkQueue {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(RUN_OPTIONS) private readonly options: RunOptions,
    readonly limits: AttemptLimits,
    readonly denied: DeniedAttempts,
  ) {}

  /**
   * The unclaimed attempts of running runs that have waited longest: at most `limit` of each agent, and no more than the
   * limits of running attempts permit.
   */
  async waiting(filter: QueueFilter, limit = maxCandidates): Promise<readonly WaitingAttempt[]> {
    const { workspace } = filter;
    const agents = [...new Set(filter.agents)];
    const { rows } = await sql`
      with startable as materialized (${this.limits.startable({ workspace, agents })})
      select o.*, a.room, a.workspace_room
      from startable a cross join lateral (
        select o.context_id, o.key, o.assignee as agent, o.from_version, o.state, o.opened_at
        ${attemptsOf(filter, { agent: sql`a.agent`, isFree: isUnclaimed })}
        limit least(${limit}::integer, a.room, a.workspace_room)) o
      order by o.opened_at, o.context_id, o.key`.execute(this.db);
    return withinRoom(rows.map((row) => waitingRow.parse(row))).map(waitingIn);
  }

  /**
   * Claims the attempt that has waited longest and may start now; concurrent claims get different attempts. `held`:
   * attempts that the caller has claimed and not started. Undefined if no attempt may start; `overtaken`: other claims were
   * faster, and more attempts may wait.
   */
  async claimNext(
    filter: QueueFilter,
    lease: Lease,
    held: readonly WaitingAttempt[] = [],
  ): Promise<AttemptClaim | 'overtaken' | undefined> {
    const { workspace } = filter;
    const { rows } = await sql`
      with ${nextOf(filter)},
      counted as (
        select next.*, ${this.limits.isLimited(workspace, sql`next.agent`)} as is_counted from next),
      claimed as (${insertOf(sql`counted`, lease, this.options)} where not is_counted ${onLapsed} ${returningClaim})
      select counted.is_counted, claimed.*
      from (select from found limit 1) one left join counted on true left join claimed on true`.execute(
      this.db,
    );
    const [row] = rows;
    if (!isCounted(row)) return claimedIn(row);
    return this.limits.runInTurn(workspace, () => this.#claimCounted(filter, lease, held));
  }

  async #claimCounted(filter: QueueFilter, lease: Lease, except: readonly WaitingAttempt[]) {
    const startable = this.limits.startable({ ...filter, except }, sql`held`);
    const { rows } = await sql`
      with held as materialized (select * from ${lockedClaims(filter.workspace)}),
      startable as materialized (${startable}),
      ${nextOfEach(filter, sql`(select agent from startable)`, isNotHeld)},
      claimed as (${insertOf(sql`next`, lease, this.options)} ${onLapsed} ${returningClaim})
      select claimed.* from (select from found limit 1) one left join claimed on true`.execute(
      this.db,
    );
    return claimedIn(rows[0]);
  }
}
