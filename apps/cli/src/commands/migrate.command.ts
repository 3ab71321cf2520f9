import { z } from 'zod';

import { defineCommand } from '../command.js';

export const migrate = defineCommand({
  name: 'migrate',
  summary: 'Bring the database to the latest migration; "start" does this too',
  examples: [
    'DATABASE_URL=postgres://throughline@db.internal/throughline throughline migrate',
    'THROUGHLINE_DATA_DIR=/var/lib/throughline throughline migrate',
  ],
  input: z.object({}),
  run: async ({ env, terminal, json }) => {
    // Loaded lazily: commands over HTTP do not need the server's libraries.
    const { createLogger, loadConfig, migrateStorage } = await import('#platform');
    const config = loadConfig({ THROUGHLINE_LOG_LEVEL: 'warn', ...env });
    const applied = await migrateStorage(config, createLogger(config));
    terminal.write(json ? JSON.stringify({ applied }) : describe(applied));
  },
});

function describe(applied: readonly string[]): string {
  if (applied.length === 0) return 'the database is already at the latest migration';
  return ['applied', ...applied].join('\n  ');
}
