import { contextArgument } from '../declared/address.js';
import { defineWrite } from '../declared/write-command.js';

export const completeTask = defineWrite({
  name: 'task complete',
  summary: 'Complete a task',
  path: 'contexts/{context}/tasks/{task}/complete',
  arguments: [contextArgument, ['<task>', 'id of the task']],
  done: 'completed task {task}',
  examples: ['throughline task complete demo task-002'],
});
