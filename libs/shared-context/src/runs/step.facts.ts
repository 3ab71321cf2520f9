import { type ApprovalDecision } from './approval.events.js';
import { type StepOutcome } from './attempt.events.js';
import { type Author } from './run.payload.js';

/**
 * `idle`: not visited yet. `scheduled`: an attempt may start, or the interpreter goes on with it. `failing`: the attempt has
 * ended without success. `asking`: a person decides. `doubt`: a person decides what becomes of an attempt. `open`: branches of
 * the parallel step run. `decided`: the person has decided, and what follows is not stored yet. `ended`: the visit has.
 */
type StepStatus =
  | ('idle' | 'scheduled' | 'running' | 'failing')
  | ('asking' | 'doubt' | 'decided' | 'open' | 'ended');

/** How a visit ended. The value of an output is that of the event of this version, which the item of the step's output has. */
export type StepResult = Readonly<{
  path: string;
  visit: number;
  /** Of the event that made it: the output, or the routing of a visit without one. */
  version: number;
  outcome: StepOutcome;
  hasOutput: boolean;
  /** Null: nothing follows. Undefined: the run was cancelled before. */
  to?: string | null;
  startedAt: string | null;
  endedAt: string;
  attempts: number;
  /** The visit of the parallel step that it was in. */
  within: string | null;
  error: string | null;
  handled: boolean;
  /** Whose output it is. */
  author: Author | null;
  /** What a condition came to. */
  holds?: boolean;
  /** What was said of an approval. */
  comment?: string;
}>;

/** Why an error handler was reached. */
export type Failure = Readonly<{
  stepId: string;
  path: string;
  message: string;
  code: string | null;
  attempts: number;
}>;

export type OpenApproval = Readonly<{
  approvalId: string;
  message: string;
  authors: readonly Author[];
  requestedAt: string;
  expiresAt: string | null;
  byDefault: 'approve' | 'reject' | 'fail' | null;
  attempt: number | null;
}>;

/** Where a run is in one step. The results are the newest one, and those that branches of open parallel steps read instead. */
export type StepFacts = Readonly<{
  runId: string;
  status: StepStatus;
  visit: number;
  path: string | null;
  attempt: number;
  /** Attempts of this visit that failed, and those of which nobody knows. */
  failed: number;
  lost: number;
  agent: string | null;
  /** The parallel step that it is in, and the visit of that. */
  parallel: string | null;
  within: string | null;
  /** The versions at which the parallel steps around this visit began, the outermost first. */
  frozen: readonly number[];
  startedVersion: number;
  scheduledAt: string | null;
  dueAt: string | null;
  recovers: number | null;
  verify: boolean;
  /** The newest attempt that was started. */
  tokenHash: string | null;
  effectKey: string | null;
  worker: Author | null;
  startedAt: string | null;
  deadline: string | null;
  receipt: string | null;
  /** The newest failure of this visit. */
  failure: Failure | null;
  /** Of the visit that led here. */
  handles: Failure | null;
  feedback: string | null;
  approval: OpenApproval | null;
  decided: Readonly<{
    approvalId: string;
    decision: ApprovalDecision;
    by: Author;
    comment: string | null;
  }> | null;
  results: readonly StepResult[];
  /** How often each of its routes was taken. */
  routes: Readonly<Record<string, number>>;
}>;

/** Of a step that the run has not visited. */
export function idleStep(runId: string): StepFacts {
  return {
    runId,
    status: 'idle',
    visit: 0,
    path: null,
    attempt: 0,
    failed: 0,
    lost: 0,
    agent: null,
    parallel: null,
    within: null,
    frozen: [],
    startedVersion: 0,
    scheduledAt: null,
    dueAt: null,
    recovers: null,
    verify: false,
    ...noAttempt,
    failure: null,
    handles: null,
    feedback: null,
    approval: null,
    decided: null,
    results: [],
    routes: {},
  };
}

export const noAttempt = {
  tokenHash: null,
  effectKey: null,
  worker: null,
  startedAt: null,
  deadline: null,
  receipt: null,
} as const;

export function isOpen({ status }: StepFacts): boolean {
  return status !== 'idle' && status !== 'ended';
}

export function waitsForPeople({ status }: StepFacts): boolean {
  return status === 'asking' || status === 'doubt';
}

export function isWorking({ status }: StepFacts): boolean {
  return ['scheduled', 'running', 'failing', 'decided'].includes(status);
}

/** A route by what it is taken for, so that two routes to one step are counted each by itself. */
export function routeName(
  taken: Readonly<{ outcome: StepOutcome; holds?: boolean | undefined; to: string }>,
): string {
  const holds = taken.holds === undefined ? '' : `:${taken.holds}`;
  return `${taken.outcome}${holds}>${taken.to}`;
}
