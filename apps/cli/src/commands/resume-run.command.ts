import { z } from 'zod';

import { defineCommand } from '../command.js';
import { controlRun } from '../run/control-run.js';

export const resumeRun = defineCommand({
  name: 'run resume',
  summary: 'Resume a run that is paused, or that was restored or imported',
  arguments: [['<context>', 'id of its context']],
  examples: ['throughline run resume demo'],
  input: z.object({ context: z.string() }),
  run: async (session, { context }) =>
    controlRun(session, { action: 'resume', context, body: {} }, (types) =>
      types.length > 0 ? 'is resumed' : 'was resumed already',
    ),
});
