import { z } from 'zod';

import { defineCommand } from '../command.js';
import { basedOnOption, decideApproval } from '../run/decide-approval.js';

export const reject = defineCommand({
  name: 'approval reject',
  summary: 'Reject a request of a run',
  arguments: [['<approval>', 'id of the approval, as "approval list" shows it']],
  options: [['--comment <comment>', 'feedback for the next step'], basedOnOption],
  examples: [
    'throughline approval reject demo~01a1fd03-6cc3-7391-9be3-d3db01d86120~review~1 --comment "too broad"',
  ],
  input: z.object({
    approval: z.string(),
    comment: z.string().optional(),
    basedOn: z.string().optional(),
  }),
  run: async (session, { approval: approvalId, comment, basedOn }) =>
    decideApproval(session, {
      approvalId,
      verb: 'reject',
      done: 'rejected',
      body: JSON.stringify({ comment }),
      basedOn,
    }),
});
