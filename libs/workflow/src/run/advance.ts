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
import { type Circumstances, type Happening } from './happening.js';
import { passTime } from './pass-time.js';
import { RunDraft } from './run-draft.js';
import { settle } from './settle.js';

/** `dueAt`: the next time at which the run changes without any other input; null if there is none. */
type AdvanceResult = Readonly<{ events: readonly DecidedEvent[]; dueAt: string | null }>;

/**
 * Decides the events that follow from a happening. Pure: the same state, definition, happening and circumstances give
 * the same events. They belong in one append; there are none if the happening is already recorded. `workflow` is
 * undefined if this store does not have the definition; a run can be cancelled without it. Throws RunConflictError,
 * StaleAttemptError, ApprovalAnsweredError, OwnWorkError, NotFoundError or RuleViolationError.
 */
export function advance(
  current: ItemLookup,
  workflow: CompiledWorkflow | undefined,
  happening: Happening,
  circumstances: Circumstances,
): AdvanceResult {
  const draft = new RunDraft(current, workflow, circumstances);
  // A worker must learn that its attempt is stale even if another run has replaced its run.
  if ((happening.type === 'complete' || happening.type === 'fail') && !draft.isNewest)
    throw new StaleAttemptError();
  if (happening.type !== 'start') requireKnownRules(draft);
  apply(draft, happening);
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

type HappeningType = Happening['type'];

/** The happening of a type, in a form in which TypeScript checks each entry of the table. */
type HappeningOf<Type extends HappeningType> = {
  [Each in Type]: Extract<Happening, { type: Each }> & Readonly<{ type: Each }>;
}[Type];

type Appliers = {
  readonly [Type in HappeningType]: (draft: RunDraft, happening: HappeningOf<Type>) => void;
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

function apply<Type extends HappeningType>(draft: RunDraft, happening: HappeningOf<Type>): void {
  appliers[happening.type](draft, happening);
}
