import { z } from 'zod';

import { contextArgument } from '../declared/address.js';
import { flagField, numberField, required, textField } from '../declared/fields.js';
import { type CliCommand } from '../command.js';
import { defineWrite } from '../declared/write-command.js';

const declared = defineWrite({
  name: 'decision add',
  summary: 'Record a decision; a topic has one live decision at a time',
  path: 'contexts/{context}/decisions',
  arguments: [contextArgument],
  fields: [
    required(
      textField(
        'decision',
        '[decision]',
        'what was decided, in words; - reads the whole decision as JSON from standard input',
      ),
    ),
    textField('topic', '--topic <topic>', 'what it is about: a second decision needs --supersedes'),
    textField('rationale', '--rationale <text>', 'why'),
    textField('alternativesConsidered', '--alternative <text...>', 'what else was considered'),
    numberField(
      'confidence',
      '--confidence <number>',
      '0 to 1; below the threshold of the workspace a person must approve',
    ),
    flagField('requiresApproval', '--requires-approval', 'a person must approve it'),
    textField(
      'relatedRequirements',
      '--requirement <requirement...>',
      'requirements that it is about',
    ),
    textField('stepId', '--step <step>', 'the step it was made in'),
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

const wholeFromInput = z
  .looseObject({ decision: z.literal('-') })
  .transform(({ decision, ...rest }) => ({
    ...rest,
    file: decision,
  }));

export const addDecision: CliCommand = {
  ...declared,
  run: async (session, given) => {
    const whole = wholeFromInput.safeParse(given);
    return declared.run(session, whole.success ? whole.data : given);
  },
};
