import { type Guard } from './run.events.js';

/** `cancelling`: nothing starts any more, and what runs may end. Those behind `cancelling` are final. */
export type RunStatus =
  | ('running' | 'paused' | 'cancelling')
  | ('completed' | 'rejected' | 'failed' | 'cancelled');

/** So many steps that have ended are named to expressions and in the document. */
export const maxPreviousSteps = 100;

/**
 * A run, folded from its events; its size follows the definition, not the history. Times are those of the database's clock.
 */
export type RunFacts = Readonly<{
  runId: string;
  definitionId: string;
  definitionVersion: number;
  hash: string;
  interpreter: number;
  maxDurationMs: number;
  /** Null: the run was imported, and belongs to no epoch of this store until somebody resumes it. */
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
  /** Of these, those that wait for nobody but workers and the interpreter, and those that wait for people. */
  working: number;
  asking: number;
  /** The time of the newest event, and for how long the run had run until then without waiting for people alone. */
  clockAt: string;
  activeMs: number;
  /** The newest of the steps that have ended, oldest first. */
  previousSteps: readonly string[];
  /** The newest output, which is the run's if the definition declares none. */
  lastOutput: Readonly<{ stepId: string; version: number }> | null;
  /** When the open approvals of steps expire. */
  expiries: Readonly<Record<string, string>>;
  cancelDeadline: string | null;
  /** Why it is paused, is being cancelled, or has failed. */
  reason: string | null;
  guard: Guard | null;
  failedStep: Readonly<{ stepId: string; attempts: number | null }> | null;
  /** The version of the event that completed it, if that holds the output. */
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

/** Whether time counts towards the limit of its duration: it does not while the run waits for people alone. */
export function isClockRunning({ status, working, asking }: RunFacts): boolean {
  return status === 'running' && (working > 0 || asking === 0);
}

/**
 * When time alone changes the run, but for the deadlines of its attempts: an approval expires, its cancellation ends, or the time
 * that it may take. A paused run waits for people.
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

/** For how long it has run by a later time. */
export function activeMsAt(run: RunFacts, at: string): number {
  const passed = isClockRunning(run) ? Date.parse(at) - Date.parse(run.clockAt) : 0;
  return run.activeMs + Math.max(0, passed);
}
