import { z } from 'zod';

import { defineCommand } from '../command.js';
import { openOperations } from '../open-operations.js';

export const bumpEpoch = defineCommand({
  name: 'epoch bump',
  summary:
    'Let runs wait until somebody resumes them, on the machine of the server: after the database, or KurrentDB, was brought back by other means than "restore"',
  examples: [
    'throughline epoch bump',
    'DATABASE_URL=postgres://throughline@db.internal/throughline throughline epoch bump',
  ],
  input: z.object({}),
  run: async ({ env, terminal, json }) => {
    const { config, log, renewEpoch } = await openOperations(env);
    const epoch = await renewEpoch(config, log);
    terminal.write(
      json
        ? JSON.stringify({ epoch })
        : [
            `the store is in epoch ${epoch}: runs that had been started before wait until they are resumed`,
            'next: throughline run list, then throughline run resume <context> for each that may go on',
          ].join('\n'),
    );
  },
});
