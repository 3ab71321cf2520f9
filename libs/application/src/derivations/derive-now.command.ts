import { Command } from '@nestjs/cqrs';

import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';

/** Derives what a transformation would have derived, had it been stored before the context was written. */
export class DeriveNowCommand extends Command<WriteAnswer> {
  constructor(
    readonly request: Omit<WriteRequest, 'commands' | 'batch' | 'refusal' | 'derive'> &
      Readonly<{ transformationId: string }>,
  ) {
    super();
  }
}
