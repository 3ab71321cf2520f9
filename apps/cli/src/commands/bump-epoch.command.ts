import { z } from 'zod';

import { defineCommand } from '../command.js';

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
    // Loaded here only: commands over HTTP do without the server's libraries.
    const { createLogger, loadConfig, renewEpoch } = await import('#platform');
    const config = loadConfig({ THROUGHLINE_LOG_LEVEL: 'warn', ...env });
    const epoch = await renewEpoch(config, createLogger(config));
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
