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

/** `dueAt`: when the run needs to be looked at again if nothing happens to it before; null if time alone changes nothing. */
export type Advanced = Readonly<{ events: readonly DecidedEvent[]; dueAt: string | null }>;

/**
 * What something that happens to a run leads to. Pure: the same state, definition, happening and circumstances give the same events,
 * which belong into one append. `workflow`: undefined if the definition is not here, which cancelling does not need. No events: it is recorded already. Throws RunConflictError, StaleAttemptError,
 * ApprovalAnsweredError, OwnWorkError, NotFoundError or RuleViolationError.
 */
export function advance(
  current: ItemLookup,
  workflow: CompiledWorkflow | undefined,
  happening: Happening,
  given: Circumstances,
): Advanced {
  const draft = new RunDraft(current, workflow, given);
  // Who reports of an attempt learns that nobody needs it any more, whichever way that came about.
  if ((happening.type === 'complete' || happening.type === 'fail') && !draft.isNewest)
    throw new StaleAttemptError();
  if (happening.type !== 'start') requireKnownRules(draft);
  apply(draft, happening);
  settle(draft);
  return { events: draft.events, dueAt: dueTimeOf(draft) };
}

/** While servers are updated, one of before leaves runs alone that follow rules it does not know. */
function requireKnownRules({ run }: RunDraft): void {
  if (run.interpreter <= interpreterVersion) return;
  throw new RunConflictError(
    `run "${run.runId}" follows rules of version ${run.interpreter}, and this server knows those up to version ${interpreterVersion}: update it`,
  );
}

type HappeningType = Happening['type'];

/** The happening of a type. Written so that TypeScript sees that each entry of the table takes the happening of its own type. */
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
