import { Inject } from '@nestjs/common';
import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';

import { TransformationError } from '#transformations';

import { requireWholeWorkspace } from '../access/authorize.js';
import { InvalidInputError, ResourceNotFoundError } from '../errors.js';
import { pageOf } from '../paging/cursor.js';
import { AUDIT_LOG, type AuditLog } from '../tokens.js';
import { TransformationStore } from './transformation-store.js';
import {
  FindTransformationQuery,
  ListTransformationsQuery,
  PutTransformationCommand,
  type TransformationView,
} from './transformations.messages.js';

@QueryHandler(ListTransformationsQuery)
export class ListTransformationsHandler implements IQueryHandler<ListTransformationsQuery> {
  constructor(private readonly transformations: TransformationStore) {}

  async execute({ principal, page }: ListTransformationsQuery) {
    return pageOf(await this.transformations.list(principal.workspace), page);
  }
}

@QueryHandler(FindTransformationQuery)
export class FindTransformationHandler implements IQueryHandler<FindTransformationQuery> {
  constructor(private readonly transformations: TransformationStore) {}

  async execute({
    principal,
    transformationId,
  }: FindTransformationQuery): Promise<TransformationView> {
    const found = await this.transformations.get(principal.workspace, transformationId);
    if (!found) throw new ResourceNotFoundError(`there is no transformation "${transformationId}"`);
    return found;
  }
}

@CommandHandler(PutTransformationCommand)
export class PutTransformationHandler implements ICommandHandler<PutTransformationCommand> {
  constructor(
    private readonly transformations: TransformationStore,
    @Inject(AUDIT_LOG) private readonly audit: AuditLog,
  ) {}

  async execute({ principal, transformationId, definition }: PutTransformationCommand) {
    requireWholeWorkspace(principal);
    const { workspace, name } = principal;
    const put = await orInvalid(
      this.transformations.put(workspace, transformationId, { definition, by: name }),
    );
    if (put.stored) this.audit({ workspace, types: ['TransformationChanged'], principal: name });
    return put;
  }
}

/** Converts TransformationError to InvalidInputError: the definition is the body, so the pointers are the same. */
async function orInvalid<Result>(storing: Promise<Result>): Promise<Result> {
  try {
    return await storing;
  } catch (error) {
    if (error instanceof TransformationError) throw new InvalidInputError(error.issues);
    throw error;
  }
}
