import { contextArgument } from '../declared/address.js';
import { flagField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addRequirement = defineWrite({
  name: 'requirement add',
  summary: 'Record a requirement; a repeated id adds a revision',
  path: 'contexts/{context}/requirements',
  arguments: [contextArgument],
  fields: [
    required(textField('text', '[text]', 'text of the requirement')),
    required(textField('kind', '--kind <kind>', 'functional, non_functional or constraint')),
    textField('requirementId', '--id <requirement>', 'id of the requirement (default: generated)'),
    flagField('met', '--met', 'mark it as met'),
  ],
  done: 'recorded requirement {requirementId}',
  examples: [
    'throughline requirement add demo "10,000 concurrent users" --kind non_functional --id R-3.2',
  ],
});
