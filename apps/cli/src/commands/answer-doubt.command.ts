import { z } from 'zod';

import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { readJsonText, withMember } from '../json-input.js';
import { basedOnOption, decideApproval } from '../run/decide-approval.js';

const actions = ['retry', 'skip', 'output', 'fail'] as const;

export const answerDoubt = defineCommand({
  name: 'approval answer',
  summary: 'Say what becomes of an attempt whose worker is gone',
  arguments: [
    ['<approval>', 'id of the approval, as "approval list" shows it'],
    [
      '<action>',
      'retry: try it again; skip: go on without the step; output: its result is --output; fail: it has failed',
    ],
  ],
  options: [
    ['--output <json>', 'the result of the step'],
    ['--comment <comment>', 'why'],
    basedOnOption,
  ],
  examples: [
    'throughline approval answer demo~01a1fd03-6cc3-7391-9be3-d3db01d86120~deploy~1~1 retry',
    `throughline approval answer demo~01a1fd03-6cc3-7391-9be3-d3db01d86120~deploy~1~1 output --output '{"url": "https://example.org"}'`,
  ],
  input: z.object({
    approval: z.string(),
    action: z.enum(actions),
    output: z.string().optional(),
    comment: z.string().optional(),
    basedOn: z.string().optional(),
  }),
  run: async (session, { approval: approvalId, action, output, comment, basedOn }) => {
    if ((action === 'output') !== (output !== undefined))
      throw new UsageError('--output belongs to the action "output", and to no other');
    const facts = { action, comment };
    const body =
      output === undefined
        ? JSON.stringify(facts)
        : withMember(facts, 'output', await readJsonText({ value: output }, session.terminal));
    await decideApproval(session, {
      approvalId,
      verb: 'answer',
      body,
      basedOn,
      done: `answered: ${action}`,
    });
  },
});
