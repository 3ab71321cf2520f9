import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const ReopenContextController = appendController('reopenContext', {
  path: '/v1/contexts/{contextId}/reopen',
  tag: 'Contexts',
  summary: 'Reopen a closed context',
  body: eventBody('ContextReopened', { optional: true }),
  example: { reason: 'a bug came back' },
});
