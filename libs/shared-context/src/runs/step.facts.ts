import { type ApprovalDecision } from './approval.events.js';
import { type StepOutcome } from './attempt.events.js';
import { type Author } from './run.payload.js';

/**
 * `idle`: not visited yet. `scheduled`: an attempt may start, or the interpreter continues. `failing`: the attempt
 * ended without success. `asking`: waits for the decision of an approval. `doubt`: waits for a decision about an
 * attempt with an unknown effect. `open`: branches of the parallel step run. `decided`: a person has decided, and the
 * consequence is not stored yet. `ended`: the visit has ended.
 */
type StepStatus =
  | ('idle' | 'scheduled' | 'running' | 'failing')
  | ('asking' | 'doubt' | 'decided' | 'open' | 'ended');

/**
 * The result of a visit. The value of an output is in the event of this version, and in the item of the step's output.
 */
export type StepResult = Readonly<{
  path: string;
  visit: number;
  /** The version of the event with the output, or of the routing of a visit without an output. */
  version: number;
  outcome: StepOutcome;
  hasOutput: boolean;
  /** The next step. Null: there is none. Undefined: the run was cancelled before the routing. */
  to?: string | null;
  startedAt: string | null;
  endedAt: string;
  attempts: number;
  /** The visit of the enclosing parallel step. */
  within: string | null;
  error: string | null;
  handled: boolean;
  /** The author of the output. */
  author: Author | null;
  /** The value of a condition. */
  holds?: boolean;
  /** The comment on an approval. */
  comment?: string;
}>;

/** The failure that led to an error handler. */
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

/**
 * The state of one step in a run. `results`: the newest one, and older ones that branches of open parallel steps read.
 */
export type StepFacts = Readonly<{
  runId: string;
  status: StepStatus;
  visit: number;
  path: string | null;
  attempt: number;
  /** Attempts of this visit that failed, and attempts that were lost. */
  failed: number;
  lost: number;
  agent: string | null;
  /** The enclosing parallel step, and the visit of that step. */
  parallel: string | null;
  within: string | null;
  /** The versions at which the enclosing parallel steps started, outermost first. */
  frozen: readonly number[];
  startedVersion: number;
  scheduledAt: string | null;
  dueAt: string | null;
  recovers: number | null;
  verify: boolean;
  /** The newest started attempt. */
  tokenHash: string | null;
  effectKey: string | null;
  worker: Author | null;
  startedAt: string | null;
  deadline: string | null;
  receipt: string | null;
  /** The newest failure of this visit. */
  failure: Failure | null;
  /** The failure and the comment that led to this visit. */
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
  /** The number of times that each route was taken. */
  routes: Readonly<Record<string, number>>;
}>;

/** The facts of a step that the run has not visited. */
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

/** The name of a route includes its outcome, so that two routes to the same step are counted separately. */
export function routeName(
  taken: Readonly<{ outcome: StepOutcome; holds?: boolean | undefined; to: string }>,
): string {
  const holds = taken.holds === undefined ? '' : `:${taken.holds}`;
  return `${taken.outcome}${holds}>${taken.to}`;
}
