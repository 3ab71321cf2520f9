import { type Guard } from './run.events.js';

/** `cancelling`: no further work starts, and running work may end. The statuses after `cancelling` are final. */
export type RunStatus =
  | ('running' | 'paused' | 'cancelling')
  | ('completed' | 'rejected' | 'failed' | 'cancelled');

/** The number of ended steps that expressions and the document can see. */
export const maxPreviousSteps = 100;

/**
 * A run, folded from its events; its size depends on the definition, not on the history. Times are from the database's
 * clock.
 */
export type RunFacts = Readonly<{
  runId: string;
  definitionId: string;
  definitionVersion: number;
  hash: string;
  interpreter: number;
  maxDurationMs: number;
  /** Null: the run was imported, and belongs to no epoch of this store until a person resumes it. */
  epoch: string | null;
  status: RunStatus;
  startedAt: string;
  startedBy: string;
  /** The version of the event that started it. */
  startedVersion: number;
  endedAt: string | null;
  /** Visits that have begun. */
  iterations: number;
  /** Failures that nothing handled. */
  errors: number;
  /** Events of this run. */
  events: number;
  /** Steps with an open visit, in the order in which the visits began. */
  active: readonly string[];
  /** Numbers of active steps: `working` ones wait for workers or the interpreter, `asking` ones for people. */
  working: number;
  asking: number;
  /**
   * The time of the newest event, and the running time until then, without the time in which the run only waited for
   * people.
   */
  clockAt: string;
  activeMs: number;
  /** The last ended steps, oldest first; at most {@link maxPreviousSteps}. */
  previousSteps: readonly string[];
  /** The newest output, which is the output of the run if the definition declares none. */
  lastOutput: Readonly<{ stepId: string; version: number }> | null;
  /** The expiry times of open approvals, by step. */
  expiries: Readonly<Record<string, string>>;
  cancelDeadline: string | null;
  /** The reason for the pause, the cancellation or the failure. */
  reason: string | null;
  guard: Guard | null;
  failedStep: Readonly<{ stepId: string; attempts: number | null }> | null;
  /** The version of the completing event, if that event contains the output. */
  outputVersion: number | null;
}>;

const finalStatuses: ReadonlySet<RunStatus> = new Set([
  'completed',
  'rejected',
  'failed',
  'cancelled',
] as const);

/** Whether a run has not ended yet, so that its steps are reserved. */
export function isActiveRun(run: RunFacts | undefined): run is RunFacts {
  return run !== undefined && !finalStatuses.has(run.status);
}

/** Whether time counts towards the maximum duration: it does not while the run only waits for people. */
export function isClockRunning({ status, working, asking }: RunFacts): boolean {
  return status === 'running' && (working > 0 || asking === 0);
}

/**
 * The next time at which the run changes without a command, apart from the deadlines of attempts: an approval expires,
 * the cancellation ends, or the maximum duration is reached. Null for a paused run, which waits for people.
 */
export function runDueAt(run: RunFacts): string | null {
  if (run.status === 'cancelling') return run.cancelDeadline;
  if (run.status !== 'running') return null;
  const times = [...Object.values(run.expiries).map(Date.parse), ...endOfDuration(run)];
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

function endOfDuration(run: RunFacts): readonly number[] {
  if (!isClockRunning(run)) return [];
  return [Date.parse(run.clockAt) + Math.max(0, run.maxDurationMs - run.activeMs)];
}

/** The running time at a later time. */
export function activeMsAt(run: RunFacts, at: string): number {
  const passed = isClockRunning(run) ? Date.parse(at) - Date.parse(run.clockAt) : 0;
  return run.activeMs + Math.max(0, passed);
}
