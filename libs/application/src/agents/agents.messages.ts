import { Command, Query } from '@nestjs/cqrs';

import { type AgentDefinition } from '#agent-contracts';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';

/** The present registration of an agent, and who made it. */
export type AgentView = Readonly<{ agentId: string }> &
  AgentDefinition &
  Readonly<{ version: number; changedAt: string; changedBy: string }>;

/** In the order in which they were registered first. */
export class ListAgentsQuery extends Query<Page<AgentView>> {
  constructor(
    readonly principal: Principal,
    readonly page: PageRequest,
  ) {
    super();
  }
}

export class FindAgentQuery extends Query<AgentView> {
  constructor(
    readonly principal: Principal,
    readonly agentId: string,
  ) {
    super();
  }
}

/** `stored` is false if it was registered so already. */
export type RegisteredAnswer = Readonly<{ view: AgentView; stored: boolean }>;

/** Registers a new agent; one that is registered otherwise is refused. */
export class RegisterAgentCommand extends Command<RegisteredAnswer> {
  constructor(
    readonly principal: Principal,
    readonly agentId: string,
    readonly definition: AgentDefinition,
  ) {
    super();
  }
}

/** Registers a new version of an agent. */
export class PutAgentCommand extends Command<RegisteredAnswer> {
  constructor(
    readonly principal: Principal,
    readonly agentId: string,
    readonly definition: AgentDefinition,
  ) {
    super();
  }
}
