import { contextArgument } from '../declared/address.js';
import { jsonField, longTextField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addRecord = defineWrite({
  name: 'record add',
  summary: 'Append a section to the story: Markdown, fields of its kind, or both',
  path: 'contexts/{context}/records',
  arguments: [contextArgument],
  fields: [
    required(
      textField(
        'kind',
        '--kind <kind>',
        'kickoff-insights, dev-record, review-record, failure-analysis, retrospective, uat or custom',
      ),
    ),
    longTextField('body', '[text]', 'what it says, in Markdown'),
    textField('title', '--title <title>', 'its heading'),
    jsonField('fields', '--fields <json>', 'the fields of its kind'),
    textField('participants', '--participant <agent...>', 'who took part'),
    textField('stepId', '--step <step>', 'the step it is about'),
    textField('recordId', '--id <record>', 'id of the record (default: one is made)'),
  ],
  done: 'appended record {recordId}',
  examples: [
    'throughline record add demo "Registration with e-mail verification." --kind dev-record',
    'throughline record add demo - --kind retrospective --title "Sprint 4" < retro.md',
    `throughline record add demo --kind dev-record --fields '{"filesCreated": ["src/users.ts"]}'`,
  ],
});
