import { z } from 'zod';

import { type AttemptPolicy } from '../compiled-parts.js';

export const agentFields = {
  agent: z.string().min(1).max(256).describe('The agent that does the work.'),
};
const shape = z.object(agentFields);

export type AgentFields = Readonly<z.output<typeof shape>>;
export type AgentWork = Readonly<{ agent: string; attempts: AttemptPolicy }>;
