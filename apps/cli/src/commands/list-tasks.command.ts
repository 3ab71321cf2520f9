import { definePart } from '../declared/read-command.js';

export const listTasks = definePart({
  name: 'task list',
  summary: 'List the tasks of a context with their status',
  member: 'tasks',
  columns: [
    ['TASK', 'taskId'],
    ['STATUS', 'status'],
    ['AGENT', 'agentId'],
    ['DEPENDS ON', 'dependsOn'],
    ['HOURS', 'estimate'],
    ['WHAT', 'title'],
  ],
  empty: 'no tasks',
  examples: ['throughline task list demo'],
});
