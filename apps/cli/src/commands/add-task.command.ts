import { contextArgument } from '../declared/address.js';
import { numberField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addTask = defineWrite({
  name: 'task add',
  summary: 'Plan a task; a repeated id adds a revision',
  path: 'contexts/{context}/tasks',
  arguments: [contextArgument],
  fields: [
    required(textField('title', '[title]', 'title of the task')),
    textField('taskId', '--id <task>', 'id of the task (default: generated)'),
    textField('dependsOn', '--depends-on <task...>', 'tasks that must be completed before'),
    textField('acceptanceCriteria', '--criterion <text...>', 'acceptance criteria'),
    numberField('estimate', '--estimate <hours>', 'estimated hours'),
    textField('partOf', '--part-of <task>', 'the parent task'),
    textField('group', '--group <heading>', 'heading in the list of tasks'),
  ],
  done: 'planned task {taskId}',
  examples: [
    'throughline task add demo "Token service" --id task-002 --estimate 6 --depends-on task-001',
    'throughline task add demo --file task.json',
  ],
});
