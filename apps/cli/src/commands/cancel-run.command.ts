import { z } from 'zod';

import { defineCommand } from '../command.js';
import { controlRun } from '../run/control-run.js';

export const cancelRun = defineCommand({
  name: 'run cancel',
  summary: 'Cancel a run: no attempt starts any more, and running attempts may end within --grace',
  arguments: [['<context>', 'id of its context']],
  options: [
    ['--reason <reason>', 'the reason'],
    [
      '--grace <ms>',
      'milliseconds that running attempts have to end (default 30000); 0 cancels the run immediately',
    ],
  ],
  examples: [
    'throughline run cancel demo --reason "the scope has changed"',
    'throughline run cancel demo --grace 0',
  ],
  input: z.object({
    context: z.string(),
    reason: z.string().optional(),
    grace: z.coerce.number('must be a number of milliseconds').int().min(0).optional(),
  }),
  run: async (session, { context, reason, grace: graceMs }) =>
    controlRun(session, { action: 'cancel', context, body: { reason, graceMs } }, (types) => {
      if (types.includes('RunCancelled')) return 'was cancelled';
      return types.length > 0 ? 'is being cancelled' : 'was being cancelled already';
    }),
});
