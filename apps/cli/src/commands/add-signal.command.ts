import { contextArgument } from '../declared/address.js';
import { longTextField, required } from '../declared/fields.js';
import { defineWrite } from '../declared/write-command.js';

export const addSignal = defineWrite({
  name: 'signal add',
  summary: 'Record the signals in a text of an agent: lines that contain only a signal',
  path: 'contexts/{context}/signals',
  arguments: [contextArgument],
  fields: [
    required(longTextField('text', '[text]', 'the text, such as "REVIEW PASSED: story-42"')),
  ],
  done: 'recorded',
  unchanged: 'no line of the text is a signal',
  examples: [
    'throughline signal add demo "REVIEW FAILED: story-42 - two tests are missing"',
    'agent-run | throughline signal add demo - --agent amelia',
  ],
});
