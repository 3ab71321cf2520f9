import { contextArgument } from '../declared/address.js';
import { longTextField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addHandover = defineWrite({
  name: 'handover add',
  summary:
    'Hand work over to an agent; it stays in the inbox of that agent until it is acknowledged',
  path: 'contexts/{context}/handovers',
  arguments: [contextArgument],
  fields: [
    required(longTextField('note', '[note]', 'information for the recipient')),
    required(textField('to', '--to <agent>', 'the recipient')),
    textField('from', '--from <agent>', 'the sender (default: the author)'),
    textField('priority', '--priority <priority>', 'low, medium, high or critical'),
    textField('relatedArtifacts', '--artifact <artifact...>', 'related artifacts'),
    textField('actionItems', '--action <text...>', 'action items'),
    textField('handoverId', '--id <handover>', 'id of the handover (default: generated)'),
  ],
  done: 'handed over as {handoverId}',
  examples: [
    'throughline handover add demo "Reads outnumber writes four to one" --to sdd-pe --priority critical',
    'throughline handover add demo - --to reviewer --action "check the migration" < handover.md',
  ],
});
