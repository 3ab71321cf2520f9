import { type StepResult, isOpen, isSuccess } from '#shared-context';

import { type FailurePolicy } from '../definition/kinds/parallel.fields.js';
import { type Branches, branchesOf } from './branches-of.js';
import { cancelVisit, completeRun, failRun } from './end-run.js';
import { type RunDraft } from './run-draft.js';
import { failVisit, leave, withinVisits } from './routing.js';

type BranchState =
  | Readonly<{ kind: 'waiting' | 'open' }>
  | Readonly<{ kind: 'ended'; stepId: string; result: StepResult }>;

/** The maximum number of branches that run at a time, since one append begins them. */
const maxOpen = 256;

type EntryState = Readonly<{ entry: string; state: BranchState }>;

/** Begins the branches of a parallel step, or of a definition that is parallel at the top. */
export function openBranches(draft: RunDraft, parallel: string | undefined): void {
  const branches = branchesOf(draft.workflow, parallel);
  enterWaiting(draft, parallel, statesOf(draft, branches));
}

/** Handles the end of a branch with this step: the next branch begins, or the step around them continues. */
export function closeBranch(draft: RunDraft, stepId: string): void {
  const { parent } = draft.definitionOf(stepId);
  if (parent === undefined) {
    closeRoot(draft);
    return;
  }
  if (!isOpen(draft.step(parent))) return;
  const branches = branchesOf(draft.workflow, parent);
  const states = statesOf(draft, branches);
  const { failure } = parallelOf(draft, parent);
  if (failure.kind === 'fail_fast' && states.some(hasFailed)) {
    cancelBranches(draft, branches);
    failVisit(draft, parent, failureIn(states));
  } else if (states.every(({ state }) => state.kind === 'ended')) join(draft, parent, states);
  else enterWaiting(draft, parent, states);
}

function closeRoot(draft: RunDraft): void {
  const states = statesOf(draft, branchesOf(draft.workflow, undefined));
  if (!states.every(({ state }) => state.kind === 'ended')) {
    enterWaiting(draft, undefined, states);
    return;
  }
  const failed = states.find(isFailure)?.state;
  if (failed?.kind === 'ended') {
    const { stepId, result } = failed;
    const reason = `step "${stepId}" failed: ${result.error ?? 'no reason was given'}`;
    failRun(draft, { reason, stepId, attempts: Math.max(1, result.attempts) });
  } else completeRun(draft, states.some(isRejection) ? 'rejected' : 'completed', lastOf(states));
}

/** The step at which a sequence ended, if it has a value. */
function lastOf([only, ...others]: readonly EntryState[]) {
  const state = only?.state;
  if (others.length > 0 || state?.kind !== 'ended') return undefined;
  const { stepId, result } = state;
  const hasValue = result.hasOutput || !['skipped', 'failed'].includes(result.outcome);
  return hasValue ? { stepId, version: result.version } : undefined;
}

/** Handles the end of all branches: the policy decides whether the step has succeeded. */
function join(draft: RunDraft, parallel: string, states: readonly EntryState[]): void {
  const { failure, next, onError } = parallelOf(draft, parallel);
  if (isEnough(failure, states)) leave(draft, parallel, { outcome: 'completed', route: next });
  else if (failure.kind === 'continue' && onError === undefined) {
    // The run continues, but the result states the failure.
    const reason = failureIn(states);
    leave(draft, parallel, { outcome: 'failed', handled: true, reason, route: next });
  } else failVisit(draft, parallel, failureIn(states));
}

function isEnough(failure: FailurePolicy, states: readonly EntryState[]): boolean {
  const succeeded = states.filter((placed) => !hasFailed(placed)).length;
  return succeeded >= (failure.kind === 'min_success' ? failure.count : states.length);
}

function enterWaiting(
  draft: RunDraft,
  parallel: string | undefined,
  states: readonly EntryState[],
): void {
  const declared = parallel === undefined ? undefined : parallelOf(draft, parallel).maxConcurrency;
  const limit = Math.min(declared ?? maxOpen, maxOpen);
  const open = states.filter(({ state }) => state.kind === 'open').length;
  const waiting = states.filter(({ state }) => state.kind === 'waiting');
  for (const { entry } of waiting.slice(0, Math.max(0, limit - open)))
    if (draft.canContinue) enterBranch(draft, entry, parallel);
}

/** A branch begins in every round of a loop around it, within the limit of visits of its first step. */
function enterBranch(draft: RunDraft, entry: string, parallel: string | undefined): void {
  const { to } = withinVisits(draft, entry);
  if (to !== null) draft.tasks.push({ kind: 'enter', stepId: to, from: parallel });
  else {
    const reason = `a branch begins with step "${entry}" more often than its limit of visits allows`;
    failRun(draft, { guard: 'visits', stepId: entry, reason });
  }
}

function cancelBranches(draft: RunDraft, { branches }: Branches): void {
  for (const stepId of branches.flatMap(({ steps }) => [...steps])) {
    const step = draft.definitionOf(stepId);
    if (step.type === 'parallel' && isOpen(draft.step(stepId)))
      cancelBranches(draft, branchesOf(draft.workflow, stepId));
    cancelVisit(draft, stepId);
  }
  const inside = (stepId: string) => branches.some(({ steps }) => steps.has(stepId));
  const left = draft.tasks.filter(({ stepId }) => !inside(stepId));
  draft.tasks.splice(0, draft.tasks.length, ...left);
}

function statesOf(draft: RunDraft, { parallel, branches }: Branches): readonly EntryState[] {
  const within = parallel === undefined ? null : draft.step(parallel).path;
  return branches.map(({ entry, steps }) => ({ entry, state: stateOf(draft, steps, within) }));
}

function stateOf(draft: RunDraft, steps: ReadonlySet<string>, within: string | null): BranchState {
  const isAhead = draft.tasks.some(({ kind, stepId }) => kind !== 'close' && steps.has(stepId));
  if (isAhead || [...steps].some((stepId) => isOpen(draft.step(stepId)))) return { kind: 'open' };
  const results = [...steps].flatMap((stepId) => {
    const result = draft.step(stepId).results.at(-1);
    return result?.within === within && result.to === null ? [{ stepId, result }] : [];
  });
  const [newest] = results.toSorted((left, right) => right.result.version - left.result.version);
  return newest ? { kind: 'ended', ...newest } : { kind: 'waiting' };
}

function parallelOf(draft: RunDraft, stepId: string) {
  const step = draft.definitionOf(stepId);
  if (step.type !== 'parallel') throw new TypeError(`step "${stepId}" has no branches`);
  return step;
}

/** A rejected branch has not succeeded, but has not failed either. */
function hasFailed(placed: EntryState): boolean {
  return isFailure(placed) || isRejection(placed);
}

function isFailure({ state }: EntryState): boolean {
  return state.kind === 'ended' && state.result.outcome === 'failed' && !state.result.handled;
}

function isRejection({ state }: EntryState): boolean {
  return state.kind === 'ended' && state.result.outcome === 'rejected';
}

function failureIn(states: readonly EntryState[]): string {
  const failed = states.flatMap(({ state }) =>
    state.kind === 'ended' && !isSuccess(state.result) && !state.result.handled
      ? [state.stepId]
      : [],
  );
  return `of its branches, these did not succeed: ${failed.join(', ')}`.slice(0, 2_000);
}
