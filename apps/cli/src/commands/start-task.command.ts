import { contextArgument } from '../declared/address.js';
import { textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const startTask = defineWrite({
  name: 'task start',
  summary: 'Start a task, or resume one that is blocked or completed',
  path: 'contexts/{context}/tasks/{task}/start',
  arguments: [contextArgument, ['<task>', 'id of the task']],
  fields: [
    textField('agent', '--assignee <agent>', 'the agent that works on it (default: the author)'),
  ],
  done: 'started task {task}',
  examples: ['throughline task start demo task-002 --assignee sdd-coder'],
});
