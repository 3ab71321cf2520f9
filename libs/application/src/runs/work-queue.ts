import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type StepFacts, stepFacts } from '#shared-context';

import { DATABASE } from '../tokens.js';
import { type AttemptPlace } from './attempt-token.js';

/** For how long others leave an attempt alone that somebody is about to start. */
const leaseSeconds = 30;
/** So many attempts are looked at for one claim. */
const mostCandidates = 20;

const candidate = z.object({
  context_id: z.string(),
  key: z.string(),
  agent: z.string(),
  from_version: z.number(),
  state: z.string(),
});

/** `version`: of the event that scheduled it. */
export type WaitingAttempt = AttemptPlace & Readonly<{ agent: string; version: number }>;

/** Limits of the caller's key: only these contexts, and only those of these workflows. */
export type QueueFilter = Readonly<{
  workspace: string;
  agents: readonly string[];
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
}>;

/**
 * Attempts that wait for workers. A row of open work is only a hint: whether the attempt may start is decided on the run itself. Claims
 * keep others from trying the same; losing them costs a second try, never a second start.
 */
@Injectable()
export class WorkQueue {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  /** The attempts that have waited longest, but for those that somebody is about to start. */
  async waiting(filter: QueueFilter): Promise<readonly WaitingAttempt[]> {
    const { rows } = await sql`
      select o.context_id, o.key, o.assignee as agent, o.from_version, o.state
      from throughline.open_work o
      join throughline.contexts c on c.workspace = o.workspace and c.context_id = o.context_id
      where ${conditionsOf(filter)}
        and not exists (
          select from throughline.run_claims h
          where (h.workspace, h.context_id, h.step_id, h.version)
              = (o.workspace, o.context_id, o.key, o.from_version)
            and h.lease_until > clock_timestamp())
      order by o.opened_at, o.context_id, o.key limit ${mostCandidates}`.execute(this.db);
    return rows.map(waitingIn);
  }

  /** Whether this caller is the one to start it. */
  async hold(
    workspace: string,
    { contextId, stepId, version }: WaitingAttempt,
    by: string,
  ): Promise<boolean> {
    const { rows } = await sql`
      insert into throughline.run_claims as h
        (workspace, context_id, step_id, version, claimed_by, lease_until)
      values (${workspace}, ${contextId}, ${stepId}, ${version}, ${by},
              clock_timestamp() + make_interval(secs => ${leaseSeconds}))
      on conflict (workspace, context_id, step_id, version) do update
        set claimed_by = excluded.claimed_by, lease_until = excluded.lease_until
        where h.lease_until <= clock_timestamp()
      returning 1`.execute(this.db);
    return rows.length > 0;
  }

  /** Claims that nobody holds any more say nothing. */
  async removeLapsed(): Promise<void> {
    await sql`delete from throughline.run_claims where lease_until <= clock_timestamp()`.execute(
      this.db,
    );
  }
}

function waitingIn(row: unknown): WaitingAttempt {
  const { context_id: contextId, key: stepId, agent, from_version, state } = candidate.parse(row);
  // JSON that the fold of runs has written.
  const { runId, visit, attempt } = stepFacts({ state: JSON.parse(state) }) satisfies StepFacts;
  return { contextId, runId, stepId, visit, attempt, agent, version: from_version };
}

function conditionsOf({ workspace, agents, contexts, workflows }: QueueFilter) {
  const conditions = [
    sql`o.workspace = ${workspace} and o.due and o.kind = 'run-step'`,
    // An imported run goes on where it was exported.
    sql`o.assignee = any(${[...agents]}) and c.status = 'open' and c.imported is not true`,
    // Times of this form are in the order of their texts.
    sql`o.opened_at <= to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    ...(contexts ? [sql`(c.context_id = any(${contexts}) or c.parent = any(${contexts}))`] : []),
    ...(workflows ? [sql`c.workflow_id = any(${workflows})`] : []),
  ];
  return sql.join(conditions, sql` and `);
}
