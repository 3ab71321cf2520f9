import { type JsonValue } from '#event-sourcing';
import { type Author } from '#shared-context';

/** The attempt that a happening is about. */
export type AttemptId = Readonly<{ stepId: string; visit: number; attempt: number }>;

/** A report of the worker that has claimed the attempt; only the hash of the token of its claim is ever stored. */
type Report = AttemptId & Readonly<{ tokenHash: string; worker: Author }>;

/** What happens when an attempt may have taken effect or not, by the kind of the agent. */
export type UsualRecovery = 'replay_safe' | 'keyed' | 'ask';

export type StartRun = Readonly<{
  type: 'start';
  definition: Readonly<{ definitionId: string; version: number; hash: string }>;
  input: JsonValue;
  by: string;
}>;
export type ClaimAttempt = Report &
  Readonly<{ type: 'claim'; effectKey: string; receipt?: string | undefined }>;
/**
 * A worker has claimed the attempt that does not see what the `input` of the step names: `hidden` is the first such name, `by` the principal of the claim.
 */
export type DenyClaim = AttemptId & Readonly<{ type: 'deny'; hidden: string; by: string }>;
/** `faults`: what is wrong with the output by the contract of its agent. */
export type CompleteAttempt = Report &
  Readonly<{ type: 'complete'; output: JsonValue; faults?: readonly string[] | undefined }>;
export type FailAttempt = Report &
  Readonly<{
    type: 'fail';
    reason: string;
    code?: string | undefined;
    retryable: boolean;
    /** The earliest time for the next attempt, as the worker was told by whom it called. */
    retryAfterMs?: number | undefined;
    output?: JsonValue | undefined;
  }>;
/** The lease of an attempt has lapsed: its worker may have stopped at any point. */
export type LoseAttempt = AttemptId &
  Readonly<{
    type: 'lose';
    usual: UsualRecovery;
    /** Nobody has got the attempt, so that it had no effect. */
    isUndelivered?: boolean;
  }>;
/** A person, and the agents that they may act for: what any of these has done is their own work. */
export type Decider = Readonly<{ principal: string; agents: readonly string[] }>;
export type DecideApproval = Readonly<{
  type: 'decide';
  approvalId: string;
  decision: 'approved' | 'rejected';
  comment?: string | undefined;
  by: Decider;
}>;
/** What becomes of an attempt in doubt. */
export type AnswerDoubt = Readonly<{
  type: 'answer';
  approvalId: string;
  action: 'retry' | 'skip' | 'output' | 'fail';
  output?: JsonValue | undefined;
  comment?: string | undefined;
  by: Decider;
}>;
export type PauseRun = Readonly<{ type: 'pause'; reason?: string | undefined; by: string }>;
/**
 * `usual`: by agent, how attempts are recovered of which nobody in this epoch knows; without an entry, a person is asked. `isPerson`: only
 * people take a run over into another epoch.
 */
export type ResumeRun = Readonly<{
  type: 'resume';
  by: string;
  isPerson: boolean;
  usual: Readonly<Record<string, UsualRecovery>>;
}>;
export type CancelRun = Readonly<{
  type: 'cancel';
  reason?: string | undefined;
  /** The time that running attempts have to end. */
  graceMs: number;
  by: string;
}>;
/** Time has passed: deadlines, expiries and limits of duration. */
type PassTime = Readonly<{ type: 'tick' }>;

/** What happens to a run from outside. */
export type Happening =
  | StartRun
  | ClaimAttempt
  | DenyClaim
  | CompleteAttempt
  | FailAttempt
  | LoseAttempt
  | DecideApproval
  | AnswerDoubt
  | PauseRun
  | ResumeRun
  | CancelRun
  | PassTime;

/**
 * What a decision rests on beside the state. `now`: by the database's clock, in milliseconds. `random`: from 0 to below 1.
 * `epoch`: the store's.
 * `version`: the one that the context has.
 */
export type Circumstances = Readonly<{
  contextId: string;
  runId: string;
  now: number;
  random: number;
  epoch: string;
  version: number;
}>;
