import { artifactKey, stepFailureKey, stepKey } from '../item-keys.js';
import { type CommandRules, type Reference } from '../command-rule.js';
import { type CommandOf } from '../context.command.js';
import { type ItemKey, type ItemLookup } from '../item.js';
import { asJson, jsonEquals } from '../json.js';
import { idFault } from '../payload.schema.js';
import { requireUnreserved } from '../runs/run.decider.js';
import { runKey, runStepKey } from '../runs/run.item.js';
import { type StepStatus } from './step.fold.js';

export const stepRules: CommandRules<'StartStep' | 'AddStepOutput' | 'FailStep'> = {
  StartStep: {
    reads: ({ data }) => [stepKey(data.stepId), ...reservedBy(data)],
    refersTo: ({ data }) => [ownStep(data)],
    decide: ({ data }, current) => {
      requireUnreserved(data.stepId, current);
      return isStep(data.stepId, 'started', current) ? [] : [{ type: 'StepStarted', data }];
    },
  },
  /** An equal output is a new event: the step ran again, with the same result. */
  AddStepOutput: {
    reads: ({ data }) => [stepKey(data.stepId), ...reservedBy(data)],
    refersTo: ({ data }) => [ownStep(data), ...artifactsIn(data)],
    decide: ({ data }, current) => {
      requireUnreserved(data.stepId, current);
      return [{ type: 'StepOutputAdded', data }];
    },
  },
  FailStep: {
    reads: ({ data }) => [stepKey(data.stepId), stepFailureKey(data.stepId), ...reservedBy(data)],
    refersTo: ({ data }) => [ownStep(data)],
    decide: ({ data }, current) => {
      requireUnreserved(data.stepId, current);
      const repeated =
        isStep(data.stepId, 'failed', current) &&
        jsonEquals(current('step-failure', data.stepId)?.body, asJson(data));
      return repeated ? [] : [{ type: 'StepFailed', data }];
    },
  },
};

/** The items that determine whether a step is reserved for a run. */
function reservedBy({ stepId }: Readonly<{ stepId: string }>): readonly ItemKey[] {
  return [runKey, runStepKey(stepId)];
}

function ownStep({ stepId }: Readonly<{ stepId: string }>): Reference {
  return { pointer: '/stepId', item: stepKey(stepId) };
}

function artifactsIn({
  artifactIds = [],
}: CommandOf<'AddStepOutput'>['data']): readonly Reference[] {
  return artifactIds.flatMap((id, at) =>
    idFault(id) === undefined ? [] : [{ pointer: `/artifactIds/${at}`, item: artifactKey(id) }],
  );
}

function isStep(stepId: string, status: StepStatus, current: ItemLookup): boolean {
  return current('step', stepId)?.state['status'] === status;
}
