import { contextArgument } from '../declared/address.js';
import { jsonField, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const provideInput = defineWrite({
  name: 'input provide',
  summary: 'Provide requested input; another value replaces the previous one',
  path: 'contexts/{context}/input-requests/{request}/provide',
  arguments: [contextArgument, ['<request>', 'id of the request']],
  fields: [
    jsonField('value', '[value]', 'the value'),
    textField('note', '--note <text>', 'a comment'),
  ],
  done: 'provided {request}',
  examples: [`throughline input provide demo IN-1 '{"budget": 5}' --note "Until the pilot"`],
});
