import { z } from 'zod';

import { CliError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { openOperations } from '../open-operations.js';

export const recoverKey = defineCommand({
  name: 'key recover',
  summary:
    'Replace a lost root key, without a key: on the machine of the server, with the server stopped',
  examples: [
    'throughline key recover',
    'THROUGHLINE_DATA_DIR=/var/lib/throughline throughline key recover',
    'DATABASE_URL=postgres://throughline@db.internal/throughline throughline key recover',
  ],
  input: z.object({}),
  run: async ({ env, terminal, json }) => {
    const { config, log, recoverRootKey } = await openOperations(env);
    if (config.adminKey !== undefined)
      throw new CliError(
        'the root key is what THROUGHLINE_ADMIN_KEY says, so there is none to recover',
        {
          next: 'set another THROUGHLINE_ADMIN_KEY and start again, or unset it first',
        },
      );
    const { secret, file } = await recoverRootKey(config, log);
    terminal.write(
      json
        ? JSON.stringify({ secret, file })
        : `${secret}\nThis is the root key now, also kept in ${file}; the old one has stopped working.`,
    );
  },
});
