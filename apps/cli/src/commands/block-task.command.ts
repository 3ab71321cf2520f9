import { contextArgument } from '../declared/address.js';
import { required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const blockTask = defineWrite({
  name: 'task block',
  summary: 'Block a task, with the reason',
  path: 'contexts/{context}/tasks/{task}/block',
  arguments: [contextArgument, ['<task>', 'id of the task']],
  fields: [required(textField('reason', '--reason <reason>', 'the reason'))],
  done: 'blocked task {task}',
  examples: ['throughline task block demo task-002 --reason "the schema is not agreed"'],
});
