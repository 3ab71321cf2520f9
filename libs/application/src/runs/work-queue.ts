import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';

import { DATABASE } from '../tokens.js';
import { type AttemptPlace } from './attempt-token.js';

/** For how long others leave an attempt alone that somebody is about to start. */
const leaseSeconds = 30;
/** So many attempts are looked at for one claim. */
const mostCandidates = 20;

const candidate = z.object({
  context_id: z.string(),
  run_id: z.string(),
  step_id: z.string(),
  visit: z.number(),
  attempt: z.number(),
  agent: z.string(),
});

export type WaitingAttempt = AttemptPlace & Readonly<{ agent: string }>;

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
      select o.context_id, o.assignee as agent, o.key as step_id, o.state::json ->> 'runId' as run_id,
             (o.state::json ->> 'visit')::int as visit, (o.state::json ->> 'attempt')::int as attempt
      from throughline.open_work o
      join throughline.contexts c on c.workspace = o.workspace and c.context_id = o.context_id
      where ${conditionsOf(filter)}
        and not exists (
          select from throughline.run_claims h
          where (h.workspace, h.context_id, h.run_id, h.step_id)
              = (o.workspace, o.context_id, o.state::json ->> 'runId', o.key)
            and (h.visit, h.attempt)
              = ((o.state::json ->> 'visit')::int, (o.state::json ->> 'attempt')::int)
            and h.lease_until > clock_timestamp())
      order by o.opened_at, o.context_id, o.key limit ${mostCandidates}`.execute(this.db);
    return rows.map((row) => {
      const { context_id, run_id, step_id, ...rest } = candidate.parse(row);
      return { contextId: context_id, runId: run_id, stepId: step_id, ...rest };
    });
  }

  /** Whether this process is the one to start it. */
  async hold(
    workspace: string,
    { contextId, runId, stepId, visit, attempt }: AttemptPlace,
    by: string,
  ): Promise<boolean> {
    const { rows } = await sql`
      insert into throughline.run_claims as h
        (workspace, context_id, run_id, step_id, visit, attempt, claimed_by, lease_until)
      values (${workspace}, ${contextId}, ${runId}, ${stepId}, ${visit}, ${attempt}, ${by},
              clock_timestamp() + make_interval(secs => ${leaseSeconds}))
      on conflict (workspace, context_id, run_id, step_id, visit, attempt) do update
        set claimed_by = excluded.claimed_by, lease_until = excluded.lease_until
        where h.lease_until <= clock_timestamp()
      returning 1`.execute(this.db);
    return rows.length > 0;
  }
}

function conditionsOf({ workspace, agents, contexts, workflows }: QueueFilter) {
  const conditions = [
    sql`o.workspace = ${workspace} and o.due and o.kind = 'run-step'`,
    // An imported run goes on where it was exported.
    sql`o.assignee = any(${[...agents]}) and c.status = 'open' and c.imported is not true`,
    sql`o.opened_at::timestamptz <= clock_timestamp()`,
    ...(contexts ? [sql`(c.context_id = any(${contexts}) or c.parent = any(${contexts}))`] : []),
    ...(workflows ? [sql`c.workflow_id = any(${workflows})`] : []),
  ];
  return sql.join(conditions, sql` and `);
}
