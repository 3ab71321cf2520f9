import { type JsonValue } from '#event-sourcing';
import { type Author } from '#shared-context';

/** The attempt that a command refers to. */
export type AttemptId = Readonly<{ stepId: string; visit: number; attempt: number }>;

/** A report of the worker that has claimed the attempt; only the hash of its token is stored. */
type Report = AttemptId & Readonly<{ tokenHash: string; worker: Author }>;

/** The default recovery of an attempt in doubt, by the kind of the agent. */
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
 * The key that claims the attempt may not see an input of its step: `hidden` is the first such name, `by` the principal
 * of the claim.
 */
export type DenyClaim = AttemptId & Readonly<{ type: 'deny'; hidden: string; by: string }>;
/** `faults`: violations of the contract of the agent by the output. */
export type CompleteAttempt = Report &
  Readonly<{ type: 'complete'; output: JsonValue; faults?: readonly string[] | undefined }>;
export type FailAttempt = Report &
  Readonly<{
    type: 'fail';
    reason: string;
    code?: string | undefined;
    retryable: boolean;
    /** The minimum delay before the next attempt, as requested by the service that the worker called. */
    retryAfterMs?: number | undefined;
    output?: JsonValue | undefined;
  }>;
/** The lease of an attempt has expired: its worker may have stopped at any point. */
export type LoseAttempt = AttemptId &
  Readonly<{
    type: 'lose';
    usual: UsualRecovery;
    /** No worker received the attempt, so that it had no effect. */
    isUndelivered?: boolean;
  }>;
/** A person, and the agents that they may act for. Work of any of these counts as the person's own work. */
export type Decider = Readonly<{ principal: string; agents: readonly string[] }>;
export type DecideApproval = Readonly<{
  type: 'decide';
  approvalId: string;
  decision: 'approved' | 'rejected';
  comment?: string | undefined;
  by: Decider;
}>;
/** The answer of a person about an attempt in doubt. */
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
 * `usual`: the default recovery by agent for attempts that are lost by a change of epoch; without an entry, a person
 * has to answer. `isPerson`: only people may move a run into another epoch.
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
  /** The time in which running attempts may end. */
  graceMs: number;
  by: string;
}>;
/** Time has passed: applies deadlines, expiries and limits of duration. */
type PassTime = Readonly<{ type: 'tick' }>;

/** A command to a run; `advance` decides the events that follow. */
export type RunCommand =
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
 * The inputs of a decision besides the state. `now`: milliseconds by the clock of the database. `random`: from 0 to
 * below 1. `epoch`: of the store. `version`: the current version of the context.
 */
export type Circumstances = Readonly<{
  contextId: string;
  runId: string;
  now: number;
  random: number;
  epoch: string;
  version: number;
}>;
