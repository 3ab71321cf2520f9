import { z } from 'zod';

import { defineCommand } from '../command.js';
import { controlRun } from '../run/control-run.js';

export const pauseRun = defineCommand({
  name: 'run pause',
  summary: 'Pause a run: no attempt starts until it is resumed, but running attempts continue',
  arguments: [['<context>', 'id of its context']],
  options: [['--reason <reason>', 'the reason']],
  examples: ['throughline run pause demo --reason "the model is being replaced"'],
  input: z.object({ context: z.string(), reason: z.string().optional() }),
  run: async (session, { context, reason }) =>
    controlRun(session, { action: 'pause', context, body: { reason } }, (types) =>
      types.length > 0 ? 'is paused' : 'was paused already',
    ),
});
