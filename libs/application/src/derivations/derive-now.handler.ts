import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { requireWholeWorkspace } from '../access/authorize.js';
import { requireFullVisibility } from '../access/reach.js';
import { ResourceNotFoundError } from '../errors.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { WriteService } from '../writing/write.service.js';

import { DeriveNowCommand } from './derive-now.command.js';

@CommandHandler(DeriveNowCommand)
export class DeriveNowHandler implements ICommandHandler<DeriveNowCommand> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly transformations: TransformationStore,
    private readonly writes: WriteService,
  ) {}

  async execute({ request }: DeriveNowCommand): Promise<WriteAnswer> {
    const { transformationId, ...write } = request;
    const { principal, contextId } = write;
    requireFullVisibility(principal);
    // A key for other contexts does not learn that this one exists.
    await this.contexts.readHead({ principal, contextId });
    requireWholeWorkspace(principal);
    const active = await this.transformations.find(principal.workspace);
    if (!active.find(transformationId))
      throw new ResourceNotFoundError(`there is no active transformation "${transformationId}"`);
    return this.writes.write({ ...write, commands: [], derive: transformationId });
  }
}
