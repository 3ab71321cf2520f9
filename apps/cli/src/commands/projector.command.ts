import { z } from 'zod';

import { defineCommand } from '../command.js';
import { runUntilStopped } from '../run-until-stopped.js';

export const projector = defineCommand({
  name: 'projector',
  summary: 'Run a projector for the read models of servers with PROJECTOR=external',
  options: [['--port <number>', 'serve health and metrics on this port (default: not served)']],
  examples: [
    'DATABASE_URL=postgres://throughline@db.internal/throughline throughline projector',
    'DATABASE_URL=postgres://throughline@db.internal/throughline throughline projector --port 3001',
  ],
  input: z.object({ port: z.string().optional() }),
  run: async ({ env, terminal, startProjector }, { port }) => {
    const configured = { ...env, ...(port !== undefined && { PROJECTOR_PORT: port }) };
    const { write: print, isTerminal = false } = terminal;
    await runUntilStopped(env, () => startProjector(configured, { print, isTerminal }));
  },
});
