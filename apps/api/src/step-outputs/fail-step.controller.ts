import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const FailStepController = appendController('failStep', {
  path: '/v1/contexts/{contextId}/steps/{stepId}/fail',
  tag: 'Steps',
  summary: 'Say that a step has failed',
  body: eventBody('StepFailed', { fromPath: ['stepId'] }),
  example: { reason: 'the tests do not pass', tried: ['npm test'] },
});
