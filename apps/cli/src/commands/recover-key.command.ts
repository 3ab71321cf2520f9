import { z } from 'zod';

import { CliError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { openOperations } from '../open-operations.js';

export const recoverKey = defineCommand({
  name: 'key recover',
  summary:
    'Replace a lost root key; run it on the server machine while the server is stopped; it needs no key',
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
        'THROUGHLINE_ADMIN_KEY defines the root key, so there is none to recover',
        {
          next: 'set another THROUGHLINE_ADMIN_KEY and restart the server, or unset it first',
        },
      );
    const { secret, file } = await recoverRootKey(config, log);
    terminal.write(
      json
        ? JSON.stringify({ secret, file })
        : `${secret}\nThis is the new root key, also stored in ${file}; the old key no longer works.`,
    );
  },
});
