import { type RawBuilder, sql } from 'kysely';

import { hasRunStatus } from './run-status.condition.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** `contexts`, `workflows`: the limits of the key of the worker. `except`: attempts to exclude. */
export type QueueFilter = Readonly<{
  workspace: string;
  agents: readonly string[];
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
  except?: readonly WaitingAttempt[];
}>;

/**
 * Whether a row of open work `o` in a context `c` is an attempt that may start now, within the limits of the key. Ignores
 * agents.
 */
export function isStartable({
  workspace,
  contexts,
  workflows,
  except = [],
}: QueueFilter): RawBuilder<unknown> {
  const conditions = [
    sql`o.workspace = ${workspace} and o.due and o.kind = 'run-step'`,
    sql`c.status = 'open'`,
    // Texts of this form sort in the order of their times.
    sql`o.opened_at <= to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    // No attempt starts in a run that is paused, being cancelled, restored or imported.
    hasRunStatus(['running']),
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
