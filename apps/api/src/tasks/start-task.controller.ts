import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const StartTaskController = appendController('startTask', {
  path: '/v1/contexts/{contextId}/tasks/{taskId}/start',
  tag: 'Tasks',
  summary: 'Start a task',
  description:
    'Starting a running task changes nothing, unless it names another `agent`. A blocked or completed task is resumed.',
  body: eventBody('TaskStarted', { optional: true, fromPath: ['taskId'] }),
  problems: ['not-found'],
  example: { agent: 'sdd-coder' },
});
