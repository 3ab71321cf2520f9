import { z } from 'zod';

import { type ClaimEnd } from './attempt-claims.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** A claimed attempt, and the end of its lease. */
export type AttemptClaim = Readonly<{ waiting: WaitingAttempt; endsAt: ClaimEnd }>;

const room = z.number().nullable();

/** A waiting attempt, and how many more of its agent and of its workspace may start; null if any number. */
export const waitingRow = z.object({
  room,
  workspace_room: room,
  context_id: z.string(),
  key: z.string(),
  agent: z.string(),
  from_version: z.number(),
  state: z.string(),
});

const scheduled = z.object({ runId: z.string(), visit: z.number(), attempt: z.number() });

export function waitingIn(row: z.output<typeof waitingRow>): WaitingAttempt {
  const { context_id: contextId, key: stepId, agent, from_version, state } = row;
  const attempt = scheduled.parse(JSON.parse(state));
  return { contextId, stepId, agent, version: from_version, ...attempt };
}

const countedRow = z.object({ is_counted: z.boolean().nullable() });

/** Whether the attempt to claim is subject to a limit; the statement has then claimed nothing. */
export function isCounted(row: unknown): boolean {
  return row !== undefined && countedRow.parse(row).is_counted === true;
}

const claimedRow = z.object({
  context_id: z.string(),
  step_id: z.string(),
  run_id: z.string(),
  agent: z.string(),
  version: z.number(),
  visit: z.number(),
  attempt: z.number(),
  ends_at: z.string(),
});

/** The row if attempts wait, but other claims were faster. */
const overtakenRow = z.object({ context_id: z.null() });

/** Undefined if there is no row, because no attempt waits. */
export function claimedIn(row: unknown): AttemptClaim | 'overtaken' | undefined {
  const claimed = claimedRow.or(overtakenRow).optional().parse(row);
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
