import { contextArgument } from '../declared/address.js';
import { jsonField, longTextField, required, textField } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addRecord = defineWrite({
  name: 'record add',
  summary: 'Append a record to the story: Markdown, fields of its kind, or both',
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
    longTextField('body', '[text]', 'the text in Markdown'),
    textField('title', '--title <title>', 'the heading'),
    jsonField('fields', '--fields <json>', 'the fields of its kind'),
    textField('participants', '--participant <agent...>', 'agents that took part'),
    textField('stepId', '--step <step>', 'the related step'),
    textField('recordId', '--id <record>', 'id of the record (default: generated)'),
  ],
  done: 'appended record {recordId}',
  examples: [
    'throughline record add demo "Registration with e-mail verification." --kind dev-record',
    'throughline record add demo - --kind retrospective --title "Sprint 4" < retro.md',
    `throughline record add demo --kind dev-record --fields '{"filesCreated": ["src/users.ts"]}'`,
  ],
});
