import { z } from 'zod';

import { defineCommand } from '../command.js';
import { runUntilStopped } from '../run-until-stopped.js';

export const projector = defineCommand({
  name: 'projector',
  summary: 'Keep the read models of servers that run with PROJECTOR=external',
  options: [['--port <number>', 'serve health and metrics here (default: do not)']],
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
