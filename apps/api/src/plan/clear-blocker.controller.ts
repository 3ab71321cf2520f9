import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const ClearBlockerController = appendController('clearBlocker', {
  path: '/v1/contexts/{contextId}/blockers/{blockerId}/clear',
  tag: 'Plan',
  summary: 'Say that a blocker is out of the way',
  description: 'Clearing again changes nothing.',
  body: eventBody('BlockerCleared', { optional: true, fromPath: ['blockerId'] }),
  problems: ['not-found'],
  example: { note: 'the sandbox is open' },
});
