import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const BlockTaskController = appendController('blockTask', {
  path: '/v1/contexts/{contextId}/tasks/{taskId}/block',
  tag: 'Tasks',
  summary: 'Block a task, with the reason',
  description: 'Starting the task unblocks it.',
  body: eventBody('TaskBlocked', { fromPath: ['taskId'] }),
  problems: ['not-found'],
  example: { reason: 'The schema is not agreed' },
});
