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

/** `dueAt`: when time alone changes the run next, if nothing else happens before; null if it never does. */
type AdvanceResult = Readonly<{ events: readonly DecidedEvent[]; dueAt: string | null }>;

/**
 * Decides which events a happening leads to. Pure: the same state, definition, happening and circumstances give the same events, which
 * belong into one append; none if the happening is recorded already. `workflow`: undefined if this store does not have the definition;
 * a run can be cancelled without it. Throws RunConflictError, StaleAttemptError, ApprovalAnsweredError, OwnWorkError, NotFoundError or
 * RuleViolationError.
 */
export function advance(
  current: ItemLookup,
  workflow: CompiledWorkflow | undefined,
  happening: Happening,
  given: Circumstances,
): AdvanceResult {
  const draft = new RunDraft(current, workflow, given);
  // A worker learns that its attempt is stale also if another run has taken the place of its run.
  if ((happening.type === 'complete' || happening.type === 'fail') && !draft.isNewest)
    throw new StaleAttemptError();
  if (happening.type !== 'start') requireKnownRules(draft);
  apply(draft, happening);
  settle(draft);
  return { events: draft.events, dueAt: dueTimeOf(draft) };
}

/** During an update, an old server refuses runs that follow rules which it does not know. */
function requireKnownRules({ run }: RunDraft): void {
  if (run.interpreter <= interpreterVersion) return;
  throw new RunConflictError(
    `run "${run.runId}" follows rules of version ${run.interpreter}, and this server knows those up to version ${interpreterVersion}: update it`,
  );
}

type HappeningType = Happening['type'];

/** The happening of a type, in a form that lets TypeScript check each entry of the table against the happening of its own type. */
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
