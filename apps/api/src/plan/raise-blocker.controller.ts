import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const RaiseBlockerController = appendController('raiseBlocker', {
  path: '/v1/contexts/{contextId}/blockers',
  tag: 'Plan',
  summary: 'Say that something is in the way',
  body: eventBody('BlockerRaised'),
  example: { blockerId: 'BLK-1', description: 'No access to the payment sandbox' },
});
