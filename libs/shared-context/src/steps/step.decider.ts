import { type CommandRules } from '../command-rule.js';
import { type ItemLookup } from '../item.js';
import { asJson, jsonEquals } from '../json.js';
import { type StepStatus, stepFailureKey, stepKey } from './step.fold.js';

export const stepRules: CommandRules<'StartStep' | 'AddStepOutput' | 'FailStep'> = {
  StartStep: {
    reads: ({ data }) => [stepKey(data.stepId)],
    decide: ({ data }, current) =>
      isStep(data.stepId, 'started', current) ? [] : [{ type: 'StepStarted', data }],
  },
  /** The same output again is a new fact: the step ran again and said the same. */
  AddStepOutput: {
    reads: ({ data }) => [stepKey(data.stepId)],
    decide: ({ data }) => [{ type: 'StepOutputAdded', data }],
  },
  FailStep: {
    reads: ({ data }) => [stepKey(data.stepId), stepFailureKey(data.stepId)],
    decide: ({ data }, current) => {
      const repeated =
        isStep(data.stepId, 'failed', current) &&
        jsonEquals(current('step-failure', data.stepId)?.body, asJson(data));
      return repeated ? [] : [{ type: 'StepFailed', data }];
    },
  },
};

function isStep(stepId: string, status: StepStatus, current: ItemLookup): boolean {
  return current('step', stepId)?.state['status'] === status;
}
