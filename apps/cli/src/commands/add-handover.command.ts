import { contextArgument } from '../declared/address.js';
import { longTextField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addHandover = defineWrite({
  name: 'handover add',
  summary: 'Hand work over to an agent, in whose inbox it stays until it is acknowledged',
  path: 'contexts/{context}/handovers',
  arguments: [contextArgument],
  fields: [
    required(longTextField('note', '[note]', 'what there is to know')),
    required(textField('to', '--to <agent>', 'who takes over')),
    textField('from', '--from <agent>', 'who hands over (default: the author)'),
    textField('priority', '--priority <priority>', 'low, medium, high or critical'),
    textField('relatedArtifacts', '--artifact <artifact...>', 'what it is about'),
    textField('actionItems', '--action <text...>', 'what is to be done'),
    textField('handoverId', '--id <handover>', 'id of the handover (default: one is made)'),
  ],
  done: 'handed over as {handoverId}',
  examples: [
    'throughline handover add demo "Reads outnumber writes four to one" --to sdd-pe --priority critical',
    'throughline handover add demo - --to reviewer --action "check the migration" < handover.md',
  ],
});
