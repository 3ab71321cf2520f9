import { contextArgument } from '../declared/address.js';
import { jsonField, required } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const appendEvents = defineWrite({
  name: 'context append',
  summary: 'Append several events to a context, all or none',
  path: 'contexts/{context}/events',
  arguments: [contextArgument],
  fields: [
    required(
      jsonField('events', '[events]', 'the events, each with type, data and optional visibility'),
    ),
  ],
  optionSet: 'agent',
  done: 'appended to {context}',
  examples: [
    'throughline context append demo @events.json --if-match 7',
    `throughline context append demo '[{"type": "StepStarted", "data": {"stepId": "design"}}]'`,
  ],
});
