import { Injectable } from '@nestjs/common';

import { type UsualRecovery } from '#workflow';

import { AgentStore } from '../agents/agent-store.js';

/** The default recoveries of attempts in doubt, by the kind of the agent, for steps that state none. */
@Injectable()
export class DefaultRecoveries {
  constructor(private readonly agents: AgentStore) {}

  /** The recoveries of registered agents; for all other agents, a person decides. */
  async byAgent(workspace: string): Promise<Readonly<Record<string, UsualRecovery>>> {
    const registered = await this.agents.find(workspace);
    return Object.fromEntries(
      registered.map(({ view: { agentId, kind } }) => [agentId, recoveryOf(kind)]),
    );
  }
}

/** A call of a model can be repeated, and services check the effect key; for other kinds, the effect of a retry is unknown. */
function recoveryOf(kind: string): UsualRecovery {
  if (kind === 'llm') return 'replay_safe';
  return kind === 'service' ? 'keyed' : 'ask';
}
