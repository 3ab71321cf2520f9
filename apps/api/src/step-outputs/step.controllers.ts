import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';
import { GetStepOutputController } from './get-step-output.controller.js';

export const stepControllers = [
  appendController('addStepOutput', {
    path: '/v1/contexts/{contextId}/step-outputs',
    tag: 'Steps',
    summary: 'Add the output of a step',
    description: 'Adding another output for the same step retains both; the latest is current.',
    body: eventBody('StepOutputAdded'),
    example: { stepId: 'design', output: { screens: ['login', 'reset'] } },
  }),
  appendController('failStep', {
    path: '/v1/contexts/{contextId}/steps/{stepId}/fail',
    tag: 'Steps',
    summary: 'Record that a step has failed',
    body: eventBody('StepFailed', { fromPath: ['stepId'] }),
    example: { reason: 'the tests do not pass', tried: ['npm test'] },
  }),
  GetStepOutputController,
  appendController('startStep', {
    path: '/v1/contexts/{contextId}/steps/{stepId}/start',
    tag: 'Steps',
    summary: 'Record that a step has started',
    body: eventBody('StepStarted', { optional: true, fromPath: ['stepId'] }),
  }),
];
