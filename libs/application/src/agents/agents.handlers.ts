import { Inject } from '@nestjs/common';
import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';

import { isPartOfContext } from '#shared-context';

import { requireWholeWorkspace } from '../access/authorize.js';
import { refuseReservedNames } from '../access/reserved-names.js';
import { InvalidInputError, ResourceNotFoundError } from '../errors.js';
import { pageOf } from '../paging/cursor.js';
import { AUDIT_LOG, type AuditLog } from '../tokens.js';
import { AgentStore } from './agent-store.js';
import {
  type AgentView,
  FindAgentQuery,
  ListAgentsQuery,
  PutAgentCommand,
  RegisterAgentCommand,
  type RegisteredAnswer,
} from './agents.messages.js';

@QueryHandler(ListAgentsQuery)
export class ListAgentsHandler implements IQueryHandler<ListAgentsQuery> {
  constructor(private readonly agents: AgentStore) {}

  async execute({ principal, page }: ListAgentsQuery) {
    const registered = await this.agents.find(principal.workspace);
    return pageOf(
      registered.map(({ view }) => view),
      page,
    );
  }
}

@QueryHandler(FindAgentQuery)
export class FindAgentHandler implements IQueryHandler<FindAgentQuery> {
  constructor(private readonly agents: AgentStore) {}

  async execute({ principal, agentId }: FindAgentQuery): Promise<AgentView> {
    const found = await this.agents.get(principal.workspace, agentId);
    if (!found) throw new ResourceNotFoundError(`there is no agent "${agentId}" here`);
    return found;
  }
}

@CommandHandler(RegisterAgentCommand)
export class RegisterAgentHandler implements ICommandHandler<RegisterAgentCommand> {
  constructor(
    private readonly agents: AgentStore,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  execute(command: RegisterAgentCommand): Promise<RegisteredAnswer> {
    return register(this.agents, this.audit, { ...command, replaces: false });
  }
}

@CommandHandler(PutAgentCommand)
export class PutAgentHandler implements ICommandHandler<PutAgentCommand> {
  constructor(
    private readonly agents: AgentStore,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  execute(command: PutAgentCommand): Promise<RegisteredAnswer> {
    return register(this.agents, this.audit, { ...command, replaces: true });
  }
}

const noPath =
  'begins the paths to a part of the context, so no path could lead to the outputs of this agent: use another id';

type RegistrationRequest = Pick<PutAgentCommand, 'principal' | 'agentId' | 'definition'> &
  Readonly<{ replaces: boolean }>;

async function register(
  agents: AgentStore,
  audit: AuditLog,
  { principal, agentId, definition, replaces }: RegistrationRequest,
): Promise<RegisteredAnswer> {
  requireWholeWorkspace(principal);
  refuseReservedNames([{ pointer: '/agentId', agentId }]);
  if (isPartOfContext(agentId))
    throw new InvalidInputError([{ pointer: '/agentId', detail: noPath }]);
  const { workspace, name: by } = principal;
  const answer = await agents.register(workspace, agentId, { definition, by, replaces });
  if (answer.stored) audit({ workspace, types: ['AgentRegistered'], principal: by });
  return answer;
}
