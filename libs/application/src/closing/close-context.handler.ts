import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { RunCancellation } from '../runs/run-cancellation.js';
import { FAILURE_LOG, type FailureLog } from '../tokens.js';
import { WriteService } from '../writing/write.service.js';
import {
  type CloseContextAnswer,
  CloseContextCommand,
  type StillOpen,
} from './close-context.command.js';
import { StillOpenReader } from './still-open-reader.js';

@CommandHandler(CloseContextCommand)
export class CloseContextHandler implements ICommandHandler<CloseContextCommand> {
  constructor(
    private readonly writes: WriteService,
    private readonly stillOpen: StillOpenReader,
    private readonly cancellation: RunCancellation,
    @Inject(FAILURE_LOG) private readonly failed: FailureLog,
  ) {}

  async execute({ request }: CloseContextCommand): Promise<CloseContextAnswer> {
    const { data, visibility, cancelRun, ...facts } = request;
    const { principal, contextId } = facts;
    const before = cancelRun
      ? await this.cancellation.commandsFor(principal, contextId, 'the context is closed')
      : [];
    const commands = [...before, { type: 'CloseContext', data, visibility } as const];
    const write = await this.writes.write({ ...facts, commands });
    try {
      return { write, stillOpen: await this.stillOpen.read(request.principal, write) };
    } catch (error) {
      // The closing is stored: a later failure must not look like a failed write.
      this.failed(
        error,
        `the open work of ${write.contextId} could not be read after it was closed`,
      );
      return { write, stillOpen: openItemsUnknown };
    }
  }
}

const openItemsUnknown: StillOpen = { open: null };
