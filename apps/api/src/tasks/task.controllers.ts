import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const taskControllers = [
  appendController('planTask', {
    path: '/v1/contexts/{contextId}/tasks',
    tag: 'Tasks',
    summary: 'Plan a task',
    description: 'The tasks that it depends on must be planned before it. `estimate` is in hours.',
    body: eventBody('TaskPlanned'),
    example: {
      taskId: 'task-002',
      title: 'Token service',
      dependsOn: [],
      acceptanceCriteria: ['A token expires after an hour'],
      estimate: 6,
    },
  }),
  appendController('startTask', {
    path: '/v1/contexts/{contextId}/tasks/{taskId}/start',
    tag: 'Tasks',
    summary: 'Start a task',
    description:
      'Starting a running task changes nothing, except with another `agent`. A blocked or completed task is resumed.',
    body: eventBody('TaskStarted', { optional: true, fromPath: ['taskId'] }),
    problems: ['not-found'],
    example: { agent: 'sdd-coder' },
  }),
  appendController('blockTask', {
    path: '/v1/contexts/{contextId}/tasks/{taskId}/block',
    tag: 'Tasks',
    summary: 'Block a task, with the reason',
    description: 'Starting the task unblocks it.',
    body: eventBody('TaskBlocked', { fromPath: ['taskId'] }),
    problems: ['not-found'],
    example: { reason: 'The schema is not agreed' },
  }),
  appendController('completeTask', {
    path: '/v1/contexts/{contextId}/tasks/{taskId}/complete',
    tag: 'Tasks',
    summary: 'Complete a task',
    description: 'Completing it again changes nothing.',
    body: eventBody('TaskCompleted', { optional: true, fromPath: ['taskId'] }),
    problems: ['not-found'],
    example: {},
  }),
];
