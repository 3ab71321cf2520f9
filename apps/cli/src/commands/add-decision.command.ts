import { z } from 'zod';

import { contextArgument } from '../declared/address.js';
import { flagField, numberField, required, textField } from '../declared/fields.js';
import { type CliCommand } from '../command.js';
import { defineWrite } from '../declared/write-command.js';

const declaredCommand = defineWrite({
  name: 'decision add',
  summary: 'Record a decision; a topic has one live decision at a time',
  path: 'contexts/{context}/decisions',
  arguments: [contextArgument],
  fields: [
    required(
      textField(
        'decision',
        '[decision]',
        'the decision as text; - reads the complete decision as JSON from standard input',
      ),
    ),
    textField(
      'topic',
      '--topic <topic>',
      'topic of the decision; a second decision on it needs --supersedes',
    ),
    textField('rationale', '--rationale <text>', 'reasons for the decision'),
    textField(
      'alternativesConsidered',
      '--alternative <text...>',
      'alternatives that were considered',
    ),
    numberField(
      'confidence',
      '--confidence <number>',
      '0 to 1; below the threshold of the workspace a person must approve',
    ),
    flagField('requiresApproval', '--requires-approval', 'a person must approve it'),
    textField('relatedRequirements', '--requirement <requirement...>', 'related requirements'),
    textField('stepId', '--step <step>', 'the step in which it was made'),
    textField('supersedes', '--supersedes <decision>', 'the decision it replaces'),
    textField('decisionId', '--id <decision>', 'id of the decision (default: the next DEC-nnn)'),
  ],
  done: 'recorded decision {decisionId}',
  examples: [
    'throughline decision add demo "Carts live in PostgreSQL" --topic storage --rationale "One database to run"',
    'throughline decision add demo "Carts live in Redis" --topic storage --supersedes DEC-001',
    'throughline decision add demo --file decision.json',
  ],
});

const decisionFromInput = z
  .looseObject({ decision: z.literal('-') })
  .transform(({ decision, ...rest }) => ({
    ...rest,
    file: decision,
  }));

export const addDecision: CliCommand = {
  ...declaredCommand,
  run: async (session, values) => {
    const parsed = decisionFromInput.safeParse(values);
    return declaredCommand.run(session, parsed.success ? parsed.data : values);
  },
};
