import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const AddStepOutputController = appendController('addStepOutput', {
  path: '/v1/contexts/{contextId}/step-outputs',
  tag: 'Steps',
  summary: 'Add the output of a step',
  description: 'Adding again for the same step keeps both; the latest is current.',
  body: eventBody('StepOutputAdded'),
  example: { stepId: 'design', output: { screens: ['login', 'reset'] } },
});
