import { z } from 'zod';

import { defineCommand } from '../command.js';
import { runUntilStopped } from '../run-until-stopped.js';

export const start = defineCommand({
  name: 'start',
  summary: 'Start the server here, with an embedded PostgreSQL unless DATABASE_URL is set',
  options: [
    ['--host <address>', 'address to listen on (default 127.0.0.1)'],
    ['--port <number>', 'port to listen on (default 3000)'],
    ['--data-dir <path>', 'data directory (default ./.throughline)'],
    ['--sign-in-link', 'print the sign-in link of the web console even without a terminal'],
  ],
  examples: [
    'throughline start',
    'throughline start --port 4000 --data-dir /var/lib/throughline',
    'DATABASE_URL=postgres://throughline@db.internal/throughline throughline start',
    'EVENTSTORE_URL=esdb://throughline:secret@kurrentdb.internal:2113 throughline start',
  ],
  input: z.object({
    host: z.string().optional(),
    port: z.string().optional(),
    dataDir: z.string().optional(),
    signInLink: z.boolean().optional(),
  }),
  run: async ({ env, terminal, startServer }, { host, port, dataDir, signInLink }) => {
    const configured = {
      ...env,
      ...(host !== undefined && { THROUGHLINE_HOST: host }),
      ...(port !== undefined && { THROUGHLINE_PORT: port }),
      ...(dataDir !== undefined && { THROUGHLINE_DATA_DIR: dataDir }),
    };
    const { write: print, isTerminal = false } = terminal;
    const output = { print, isTerminal, ...(signInLink && { printsSignInLink: true }) };
    await runUntilStopped(env, () => startServer(configured, output));
  },
});
