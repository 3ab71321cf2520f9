import { contextArgument } from '../declared/address.js';
import { numberField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addTask = defineWrite({
  name: 'task add',
  summary: 'Plan a task; the same id again is a new revision of it',
  path: 'contexts/{context}/tasks',
  arguments: [contextArgument],
  fields: [
    required(textField('title', '[title]', 'what is to be done')),
    textField('taskId', '--id <task>', 'id of the task (default: one is made)'),
    textField('dependsOn', '--depends-on <task...>', 'tasks that come first'),
    textField('acceptanceCriteria', '--criterion <text...>', 'when it is done'),
    numberField('estimate', '--estimate <hours>', 'how long it takes, in hours'),
    textField('partOf', '--part-of <task>', 'the task that it is a part of'),
    textField('group', '--group <heading>', 'the heading it is listed under'),
  ],
  done: 'planned task {taskId}',
  examples: [
    'throughline task add demo "Token service" --id task-002 --estimate 6 --depends-on task-001',
    'throughline task add demo --file task.json',
  ],
});
