import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const StartStepController = appendController('startStep', {
  path: '/v1/contexts/{contextId}/steps/{stepId}/start',
  tag: 'Steps',
  summary: 'Say that a step has begun',
  body: eventBody('StepStarted', { optional: true, fromPath: ['stepId'] }),
});
