import { appendController } from '../http/append-controller.js';
import { patchBody } from '../http/body.reader.js';

export const PatchGlobalContextController = appendController('patchGlobalContext', {
  method: 'PATCH',
  path: '/v1/contexts/{contextId}/global-context',
  tag: 'Global context',
  summary: 'Change the global context',
  description: 'The body is a JSON merge patch (RFC 7396): null removes a member.',
  body: patchBody('GlobalContextSet'),
  example: { constraints: ['no new dependencies'] },
});
