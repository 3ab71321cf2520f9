import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const CompleteTaskController = appendController('completeTask', {
  path: '/v1/contexts/{contextId}/tasks/{taskId}/complete',
  tag: 'Tasks',
  summary: 'Complete a task',
  description: 'Completing it again changes nothing.',
  body: eventBody('TaskCompleted', { optional: true, fromPath: ['taskId'] }),
  problems: ['not-found'],
  example: {},
});
