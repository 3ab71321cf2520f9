import { type JsonObject } from '#event-sourcing';

import { type Activity } from './activity.js';
import { isBlocked } from './context-outcome.js';

/**
 * `status`: `blocked` if something prevents the work from continuing, `in_progress` while anything runs, `failed` if
 * something failed or was rejected and was not repeated with success, `completed` once something has ended,
 * `not_started` before. The result of the whole context is its outcome.
 */
export function renderCurrentState(activity: Activity): JsonObject {
  return {
    phase: activity.activePhase,
    activeAgent: activity.activeAgent ?? activity.taskAgent ?? activity.phaseAgent,
    activeTask: activity.activeTask,
    status: statusOf(activity),
  };
}

function statusOf(activity: Activity): string {
  const { running, failing, lastEnded } = activity;
  if (isBlocked(activity)) return 'blocked';
  if (running > 0) return 'in_progress';
  if (failing > 0 || lastEnded === 'failed') return 'failed';
  return lastEnded === null ? 'not_started' : 'completed';
}
