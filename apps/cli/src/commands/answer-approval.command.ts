import { z } from 'zod';

import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { readJsonText, withMember } from '../json-input.js';
import { basedOnOption, decideApproval } from '../run/decide-approval.js';

const actions = ['retry', 'skip', 'output', 'fail'] as const;

export const answerApproval = defineCommand({
  name: 'approval answer',
  summary: 'Decide about an attempt whose worker was lost',
  arguments: [
    ['<approval>', 'id of the approval, as "approval list" shows it'],
    [
      '<action>',
      'retry: run it again; skip: continue without the step; output: use --output as its result; fail: record it as failed',
    ],
  ],
  options: [
    ['--output <json>', 'the result of the step'],
    ['--comment <comment>', 'the reason'],
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
      throw new UsageError('pass --output with the action "output", and only with it');
    const members = { action, comment };
    const body =
      output === undefined
        ? JSON.stringify(members)
        : withMember(members, 'output', await readJsonText({ value: output }, session.terminal));
    await decideApproval(session, {
      approvalId,
      verb: 'answer',
      body,
      basedOn,
      done: `answered: ${action}`,
    });
  },
});
