import { type ApprovalWork } from '../definition/kinds/approval.fields.js';
import { type CompiledStep } from '../definition/compiled-workflow.js';
import { type StepType } from '../definition/step-types.js';
import { authorsBefore } from './authors.js';
import { evaluate } from './evaluate.js';
import { openBranches } from './join.js';
import { describeMissing, missingReference } from './references.js';
import { type RunDraft, timeOf } from './run-draft.js';
import { failVisit, leave } from './routing.js';

/** How the interpreter carries out a visit, by step type. */
type Performers = {
  readonly [Type in StepType]: (draft: RunDraft, step: CompiledStep<Type>) => void;
};

const performers: Performers = {
  /** Waits for a worker. If a value of its `input` is missing, the attempt fails before a worker can claim it. */
  agent: (draft, { id, input }) => {
    const name = missingReference(draft, id, input);
    if (name === undefined) return;
    const reason = describeMissing(draft, id, name);
    draft.append({
      type: 'StepAttemptFailed',
      data: { ...draft.attemptFields(id), reason, code: 'missing-input', retryable: false },
    });
    failVisit(draft, id, reason);
  },
  /** A condition that cannot be evaluated is a failure; it never counts as false. */
  condition: (draft, step) => {
    const result = evaluate(step.condition, draft, step.id);
    if ('fault' in result) {
      failVisit(draft, step.id, `its condition: ${result.fault}`);
      return;
    }
    const holds = Boolean(result.value);
    const route = holds ? step.then : step.else;
    leave(draft, step.id, { outcome: 'completed', holds, route });
  },
  transform: (draft, { id, transform, next }) => {
    const result = evaluate(transform, draft, id);
    if ('fault' in result) failVisit(draft, id, `its transform: ${result.fault}`);
    else if (result.value === undefined) failVisit(draft, id, 'its transform found no value');
    else {
      const { path, visit } = draft.visitFields(id);
      const run = { ...draft.runFields, path, visit, attempt: 1 };
      draft.append({ type: 'StepOutputDerived', data: { stepId: id, output: result.value, run } });
      leave(draft, id, { outcome: 'completed', route: next });
    }
  },
  approval: (draft, step) => {
    const { id, message } = step;
    draft.append({
      type: 'ApprovalRequested',
      data: {
        ...draft.visitFields(id),
        approvalId: approvalIdOf(draft, id),
        message,
        authors: authorsBefore(draft, id).slice(0, maxNamed),
        ...expiryOf(draft, step),
      },
    });
  },
  parallel: (draft, { id }) => openBranches(draft, id),
};

/**
 * The maximum number of authors that an approval names. Decisions by any author are rejected, even by one that is not
 * named.
 */
const maxNamed = 100;

export function perform(draft: RunDraft, stepId: string): void {
  const step = draft.definitionOf(stepId);
  performStep(draft, step);
}

function performStep<Type extends StepType>(draft: RunDraft, step: CompiledStep<Type>): void {
  performers[step.type](draft, step);
}

/** Unique in the context; its characters need no encoding in a URL path. */
export function approvalIdOf(draft: RunDraft, stepId: string): string {
  return `${draft.circumstances.runId}~${stepId}~${draft.step(stepId).visit}`;
}

function expiryOf({ circumstances }: RunDraft, { expiry }: ApprovalWork) {
  if (!expiry) return {};
  return { expiresAt: timeOf(circumstances.now + expiry.afterMs), byDefault: expiry.decision };
}
