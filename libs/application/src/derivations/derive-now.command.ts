import { Command } from '@nestjs/cqrs';

import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';

/** Derives the value of a transformation from the current context, without waiting for the next write to its inputs. */
export class DeriveNowCommand extends Command<WriteAnswer> {
  constructor(
    readonly request: Omit<WriteRequest, 'commands' | 'batch' | 'refusal' | 'derive'> &
      Readonly<{ transformationId: string }>,
  ) {
    super();
  }
}
