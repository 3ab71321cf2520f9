import { Inject } from '@nestjs/common';
import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';

import { requirePublisher } from '../access/authorize.js';
import { reachesWorkflow } from '../access/reach.js';
import { ResourceNotFoundError } from '../errors.js';
import { pageOf } from '../paging/cursor.js';
import { AUDIT_LOG, type AuditLog } from '../tokens.js';
import { refuseErrors } from './refuse-errors.js';
import { WorkflowStore } from './workflow-store.js';
import { WorkflowValidator } from './workflow-validator.js';
import {
  FindWorkflowQuery,
  ListWorkflowsQuery,
  PublishWorkflowCommand,
  type PublishedWorkflow,
  ValidateWorkflowQuery,
  type WholeWorkflowView,
} from './workflows.messages.js';

@CommandHandler(PublishWorkflowCommand)
export class PublishWorkflowHandler implements ICommandHandler<PublishWorkflowCommand> {
  constructor(
    private readonly workflows: WorkflowStore,
    private readonly validator: WorkflowValidator,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ principal, source }: PublishWorkflowCommand): Promise<PublishedWorkflow> {
    requirePublisher(principal);
    const { workspace, name: by } = principal;
    const report = await this.validator.read(workspace, source);
    const { definition, value, warnings } = refuseErrors(report);
    requirePublisher(principal, definition.id);
    const published = await this.workflows.publish(workspace, { definition, value, by });
    if (published.outcome !== 'unchanged')
      this.audit({ workspace, types: ['WorkflowPublished'], principal: by });
    return { ...published, warnings };
  }
}

@QueryHandler(ValidateWorkflowQuery)
export class ValidateWorkflowHandler implements IQueryHandler<ValidateWorkflowQuery> {
  constructor(private readonly validator: WorkflowValidator) {}

  execute({ principal, source }: ValidateWorkflowQuery) {
    return this.validator.read(principal.workspace, source);
  }
}

@QueryHandler(ListWorkflowsQuery)
export class ListWorkflowsHandler implements IQueryHandler<ListWorkflowsQuery> {
  constructor(private readonly workflows: WorkflowStore) {}

  async execute({ principal, page }: ListWorkflowsQuery) {
    const all = await this.workflows.list(principal.workspace);
    return pageOf(
      all.filter(({ definitionId }) => reachesWorkflow(principal, definitionId)),
      page,
    );
  }
}

@QueryHandler(FindWorkflowQuery)
export class FindWorkflowHandler implements IQueryHandler<FindWorkflowQuery> {
  constructor(private readonly workflows: WorkflowStore) {}

  async execute({
    principal,
    definitionId,
    version,
  }: FindWorkflowQuery): Promise<WholeWorkflowView> {
    const { workspace } = principal;
    const found = reachesWorkflow(principal, definitionId)
      ? await this.workflows.find({ workspace, definitionId }, version)
      : undefined;
    if (found) return found;
    const of = version === undefined ? '' : `version ${version} of `;
    throw new ResourceNotFoundError(`there is no ${of}workflow "${definitionId}" here`);
  }
}
