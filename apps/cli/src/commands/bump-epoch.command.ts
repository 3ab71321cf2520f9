import { z } from 'zod';

import { defineCommand } from '../command.js';
import { openOperations } from '../open-operations.js';

export const bumpEpoch = defineCommand({
  name: 'epoch bump',
  summary:
    'Make runs wait until they are resumed; run it on the server machine after the database or KurrentDB was restored by other means than "restore"',
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
            `the store is in epoch ${epoch}: runs that were started before wait until they are resumed`,
            'next: throughline run list, then throughline run resume <context> for each run that may continue',
          ].join('\n'),
    );
  },
});
