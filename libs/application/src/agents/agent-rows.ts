import { z } from 'zod';

import { type Contract, agentDefinition, readContract } from '#agent-contracts';

import { type AgentView } from './agents.messages.js';

/** An agent of a registry, its contract ready to be used. */
export type RegisteredAgent = Readonly<{ view: AgentView; contract: Contract }>;

const agentRow = z.object({
  agent_id: z.string(),
  version: z.number(),
  definition: z.string(),
  changed_at: z.date(),
  changed_by: z.string(),
});

export function toView(row: unknown): AgentView {
  const { agent_id, version, definition, changed_at, changed_by } = agentRow.parse(row);
  return {
    agentId: agent_id,
    ...agentDefinition.parse(JSON.parse(definition)),
    version,
    changedAt: changed_at.toISOString(),
    changedBy: changed_by,
  };
}

export function toRegistered(row: unknown): RegisteredAgent {
  const view = toView(row);
  return { view, contract: readContract(view.agentId, view) };
}
