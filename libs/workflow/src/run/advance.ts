import {
  type DecidedEvent,
  type ItemLookup,
  RunConflictError,
  StaleAttemptError,
} from '#shared-context';

import { type CompiledWorkflow } from '../definition/compiled-workflow.js';
import { answerDoubt, decideApproval } from './approvals.js';
import { claimAttempt, completeAttempt, failAttempt } from './attempts.js';
import { cancelRun, interpreterVersion, pauseRun, resumeRun, startRun } from './control.js';
import { denyClaim } from './deny-claim.js';
import { loseAttempt } from './doubt.js';
import { dueTimeOf } from './due-time.js';
import { type Circumstances, type RunCommand } from './run-command.js';
import { passTime } from './pass-time.js';
import { RunDraft } from './run-draft.js';
import { settle } from './settle.js';

/** `dueAt`: the next time at which the run changes without any other input; null if there is none. */
type AdvanceResult = Readonly<{ events: readonly DecidedEvent[]; dueAt: string | null }>;

/**
 * Decides the events that follow from a command to a run. Pure: the same state, definition, command and circumstances
 * give the same events. They belong in one append; there are none if the command is already recorded. `workflow` is
 * undefined if this store does not have the definition; a run can be cancelled without it. Throws RunConflictError,
 * StaleAttemptError, ApprovalAnsweredError, OwnWorkError, NotFoundError or RuleViolationError.
 */
export function advance(
  current: ItemLookup,
  workflow: CompiledWorkflow | undefined,
  command: RunCommand,
  circumstances: Circumstances,
): AdvanceResult {
  const draft = new RunDraft(current, workflow, circumstances);
  // A worker must learn that its attempt is stale even if another run has replaced its run.
  if ((command.type === 'complete' || command.type === 'fail') && !draft.isNewest)
    throw new StaleAttemptError();
  if (command.type !== 'start') requireKnownRules(draft);
  apply(draft, command);
  settle(draft);
  return { events: draft.events, dueAt: dueTimeOf(draft) };
}

/** During an update, an old server must refuse runs that follow rules of a newer version. */
function requireKnownRules({ run }: RunDraft): void {
  if (run.interpreter <= interpreterVersion) return;
  throw new RunConflictError(
    `run "${run.runId}" follows rules of version ${run.interpreter}, but this server knows rules up to version ${interpreterVersion}: update it`,
  );
}

type RunCommandType = RunCommand['type'];

/** The commands of a type, in a form in which TypeScript checks each entry of the table. */
type RunCommandOf<Type extends RunCommandType> = {
  [Each in Type]: Extract<RunCommand, { type: Each }> & Readonly<{ type: Each }>;
}[Type];

type Appliers = {
  readonly [Type in RunCommandType]: (draft: RunDraft, command: RunCommandOf<Type>) => void;
};

const appliers: Appliers = {
  start: startRun,
  claim: claimAttempt,
  deny: denyClaim,
  complete: completeAttempt,
  fail: failAttempt,
  lose: loseAttempt,
  decide: decideApproval,
  answer: answerDoubt,
  pause: pauseRun,
  resume: resumeRun,
  cancel: cancelRun,
  tick: passTime,
};

function apply<Type extends RunCommandType>(draft: RunDraft, command: RunCommandOf<Type>): void {
  appliers[command.type](draft, command);
}
