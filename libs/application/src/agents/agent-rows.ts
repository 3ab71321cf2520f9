import { type Contract, agentDefinition, readContract } from '#agent-contracts';

import { type StoredVersion } from '../versioned-store/versioned-store.js';
import { type AgentView } from './agents.messages.js';

/** A registered agent with its parsed contract. */
export type RegisteredAgent = Readonly<{ view: AgentView; contract: Contract }>;

export function toView({ name, version, value, changedAt, changedBy }: StoredVersion): AgentView {
  const definition = agentDefinition.parse(JSON.parse(value));
  return { agentId: name, ...definition, version, changedAt, changedBy };
}

export function toRegistered(stored: StoredVersion): RegisteredAgent {
  const view = toView(stored);
  return { view, contract: readContract(view.agentId, view) };
}
