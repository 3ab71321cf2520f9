import { Command, Query } from '@nestjs/cqrs';

import { type AgentDefinition } from '#agent-contracts';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';

/** The current registration of an agent, and its author. */
export type AgentView = Readonly<{ agentId: string }> &
  AgentDefinition &
  Readonly<{ version: number; changedAt: string; changedBy: string }>;

/** The agents of a workspace, in the order of their first registration. */
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

/** `stored`: false if the agent already had this definition. */
export type RegisteredAnswer = Readonly<{ view: AgentView; stored: boolean }>;

/** Registers a new agent. Throws InvalidInputError if it is registered with another definition. */
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
