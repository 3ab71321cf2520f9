import { Injectable } from '@nestjs/common';

import { type UsualRecovery } from '#workflow';

import { AgentStore } from '../agents/agent-store.js';

/** How attempts in doubt are recovered if their step does not say so: by the kind of the agent. */
@Injectable()
export class UsualRecoveries {
  constructor(private readonly agents: AgentStore) {}

  /** Of registered agents; a person is asked about the attempts of all others. */
  async byAgent(workspace: string): Promise<Readonly<Record<string, UsualRecovery>>> {
    const registered = await this.agents.find(workspace);
    return Object.fromEntries(
      registered.map(({ view: { agentId, kind } }) => [agentId, recoveryOf(kind)]),
    );
  }
}

/** Models may be asked again, services take the effect key; of all others nobody knows what a second try does. */
function recoveryOf(kind: string): UsualRecovery {
  if (kind === 'llm') return 'replay_safe';
  return kind === 'service' ? 'keyed' : 'ask';
}
