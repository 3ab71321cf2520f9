import { evaluate } from './evaluate.js';
import { failRun } from './end-run.js';
import { reachedGuard } from './guards.js';
import { closeBranch } from './join.js';
import { perform } from './perform.js';
import { type RunDraft, type Task, timeOf } from './run-draft.js';
import { leave, failVisit } from './routing.js';

/** Carries out tasks until none is left, or the run is no longer active. */
export function settle(draft: RunDraft): void {
  for (let task = draft.tasks.shift(); task && draft.canContinue; task = draft.tasks.shift())
    performTask(draft, task);
}

function performTask(draft: RunDraft, task: Task): void {
  if (task.kind === 'close') closeBranch(draft, task.stepId);
  else if (task.kind === 'enter') enter(draft, task.stepId, task.from);
  // Steps that do not fit are scheduled all the same, and the next append continues with them.
  else if (!draft.isFull) proceed(draft, task.stepId);
}

/** Begins a visit, unless the run has reached a limit. */
function enter(draft: RunDraft, stepId: string, from: string | undefined): void {
  const reached = reachedGuard(draft);
  if (reached) {
    failRun(draft, reached);
    return;
  }
  const { parent } = draft.definitionOf(stepId);
  const visit = draft.step(stepId).visit + 1;
  // A worker must not claim a step before the interpreter has evaluated its `when`, possibly in a later append.
  const isClaimable = !draft.isFull && isUnconditional(draft, stepId);
  draft.append({
    type: 'StepScheduled',
    data: {
      ...draft.runFields,
      stepId,
      path: `${stepId}#${visit}`,
      visit,
      attempt: 1,
      dueAt: timeOf(draft.circumstances.now),
      ...(isClaimable && agentOf(draft, stepId)),
      ...(parent !== undefined && { parallel: parent }),
      ...(from !== undefined && { from }),
    },
  });
  if (!draft.isFull) proceed(draft, stepId);
}

/** Continues a visit: skips the step, waits for its agent, or carries it out. */
function proceed(draft: RunDraft, stepId: string): void {
  const { when, bypass } = draft.definitionOf(stepId);
  if (when) draft.performedSteps += 1;
  const condition = when ? evaluate(when, draft, stepId) : { value: true };
  if ('fault' in condition) failVisit(draft, stepId, `its "when": ${condition.fault}`);
  else if (!condition.value) leave(draft, stepId, { outcome: 'skipped', route: bypass });
  else {
    makeClaimable(draft, stepId);
    perform(draft, stepId);
    // Steps that wait for their agents do not count, so that a hundred branches can begin together.
    if (draft.step(stepId).status !== 'scheduled') draft.performedSteps += 1;
  }
}

function makeClaimable(draft: RunDraft, stepId: string): void {
  const agent = agentOf(draft, stepId);
  if (!agent.agent || draft.step(stepId).agent !== null) return;
  const data = { ...draft.attemptFields(stepId), dueAt: timeOf(draft.circumstances.now), ...agent };
  draft.append({ type: 'StepScheduled', data });
}

function isUnconditional(draft: RunDraft, stepId: string): boolean {
  return draft.definitionOf(stepId).when === undefined;
}

function agentOf(draft: RunDraft, stepId: string): Readonly<{ agent?: string }> {
  const step = draft.definitionOf(stepId);
  return step.type === 'agent' ? { agent: step.agent } : {};
}
