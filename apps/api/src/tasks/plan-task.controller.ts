import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const PlanTaskController = appendController('planTask', {
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
});
